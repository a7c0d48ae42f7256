/** The SHA-256 of a text. Node's own is used where there is one, since it is faster; other runtimes have only an asynchronous one. */
export function sha256(text: string): Uint8Array {
  const native = nodeCrypto?.createHash('sha256').update(text).digest()
  return native ? new Uint8Array(native) : sha256Portable(new TextEncoder().encode(text))
}

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

export const base64UrlOf = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const nodeCrypto = (globalThis as { process?: Partial<NodeJS.Process> }).process?.getBuiltinModule?.('node:crypto')

/** SHA-256 as FIPS 180-4 describes it, 64 bytes at a time. */
export function sha256Portable(message: Uint8Array): Uint8Array {
  const blocks = Math.floor((message.length + 8) / 64) + 1
  const padded = new DataView(new ArrayBuffer(blocks * 64))
  new Uint8Array(padded.buffer).set(message)
  padded.setUint8(message.length, 0x80)
  padded.setBigUint64(blocks * 64 - 8, BigInt(message.length) * 8n)
  const state = Uint32Array.from(initial)
  const words = new Uint32Array(64)
  for (let block = 0; block < blocks; block++) {
    for (let index = 0; index < 16; index++) words[index] = padded.getUint32(block * 64 + index * 4)
    addBlock(state, words)
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (const [index, word] of state.entries()) digest.setUint32(index * 4, word)
  return new Uint8Array(digest.buffer)
}

/** `words` has the 16 words of the block, and gets the 48 that follow from them. */
function addBlock(state: Uint32Array, words: Uint32Array): void {
  const word = (index: number): number => words[index] as number
  for (let index = 16; index < 64; index++) {
    const [early, late] = [word(index - 15), word(index - 2)]
    const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3)
    const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10)
    words[index] = word(index - 16) + small + word(index - 7) + large
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let round = 0; round < 64; round++) {
    const mixed = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const first = (h + mixed + ((e & f) ^ (~e & g)) + (constants[round] as number) + word(round)) | 0
    const second = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0]
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] as number) + value
}

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits))

const primes = Array.from({ length: 310 }, (_, index) => index + 2).filter(number =>
  Array.from({ length: Math.floor(Math.sqrt(number)) - 1 }, (_, index) => index + 2).every(part => number % part > 0),
)

/** The first 32 bits of the fractional part. */
const fraction = (number: number): number => Math.floor((number - Math.floor(number)) * 2 ** 32)

const constants = primes.slice(0, 64).map(prime => fraction(Math.cbrt(prime)))
const initial = primes.slice(0, 8).map(prime => fraction(Math.sqrt(prime)))
