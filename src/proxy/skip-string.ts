/**
 * Finds the end of a JSON string, 64 bytes at a time. In text with many quotes, such as JSON inside JSON, anything that is
 * written in JavaScript is slower than to parse it all. `skip(at)` is the place of the first quote from `at` on that does not belong to a
 * backslash. There must be one: two quotes behind the end stand for "none", and for "none, and the last backslash is still open".
 */
export interface Skipper {
  /** What is looked through: at most `bytesMax` bytes from 0 on, and the two quotes behind them. */
  readonly memory: Uint8Array
  skip(at: number): number
}

/** Undefined where there is no WebAssembly, as with `--jitless`. */
export function loadSkipper(): Skipper | undefined {
  try {
    const { Instance, Module } = (globalThis as unknown as { WebAssembly: Assembly }).WebAssembly
    const { memory, skip } = new Instance(new Module(Buffer.from(code.join(''), 'hex'))).exports
    return { memory: new Uint8Array(memory.buffer), skip }
  } catch {
    return undefined
  }
}

/** As much of `WebAssembly` as is used; the types of the language leave it to those of browsers. */
interface Assembly {
  Module: new (code: Uint8Array) => object
  Instance: new (module: object) => { exports: { memory: { buffer: ArrayBuffer }; skip: Skipper['skip'] } }
}

/** One page; the second is there because what stands behind the end is read, too. */
export const bytesMax = 65_536

/**
 * The module, a line for each step. It is written by hand, being small where a compiler for it would be large. Which bytes belong to a
 * backslash is told for all 64 at once: a run of backslashes carries over, as in an addition, to the byte behind it.
 */
const code = [
  '0061736d01000000', // the head of a module
  '01060160017f017f', // a type: (at) => place
  '03020100', // one function, of this type
  '0503010002', // a memory of two pages
  '071102066d656d6f7279020004736b69700000', // exports: memory, skip
  '0aa70201a40202017b067e', // the function; `bytes` is a vector, and six numbers of 64 bits
  '0340', // next: loop
  '2000fd0000002101', //   bytes = memory[at + 0 .. at + 16]
  '20014122fd0ffd23fd64ad2103', //   quotes = bits of bytes == '"'
  '200141dc00fd0ffd23fd64ad2102', //   slashes = bits of bytes == '\\'
  '2000fd0000102101', //   bytes = memory[at + 16 .. at + 32]
  '20014122fd0ffd23fd64ad4210862003842103', //   quotes |= bits of bytes == '"' << 16
  '200141dc00fd0ffd23fd64ad4210862002842102', //   slashes |= bits of bytes == '\\' << 16
  '2000fd0000202101', //   bytes = memory[at + 32 .. at + 48]
  '20014122fd0ffd23fd64ad4220862003842103', //   quotes |= bits of bytes == '"' << 32
  '200141dc00fd0ffd23fd64ad4220862002842102', //   slashes |= bits of bytes == '\\' << 32
  '2000fd0000302101', //   bytes = memory[at + 48 .. at + 64]
  '20014122fd0ffd23fd64ad4230862003842103', //   quotes |= bits of bytes == '"' << 48
  '200141dc00fd0ffd23fd64ad4230862002842102', //   slashes |= bits of bytes == '\\' << 48
  '20022004427f85832102', //   slashes &= ~carry
  '20024201862004842105', //   behind = slashes << 1 | carry
  '200242aad5aad5aad5aad5aa7f832005427f85832106', //   odd = slashes & 0xaa.. & ~behind
  '200620027c2207200654ad2104', //   runs = odd + slashes; carry = runs < odd (it overflowed)
  '200342d5aad5aad5aad5aad500200742018685200583427f85832203', //   quotes &= ~((0x55.. ^ runs << 1) & behind)
  '50450440', //   if (quotes)
  '200020037aa76a0f0b', //     return at + the number of the first bit
  '200041c0006a21000c00', //   at += 64; continue next
  '0b000b',
]
