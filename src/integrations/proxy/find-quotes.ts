/**
 * Finds the quotes at which JSON strings begin and end, 64 bytes at a time: those that do not belong to a backslash. In text with
 * many of them, such as JSON inside JSON, anything that is written in JavaScript is slower than to parse it all.
 */
export interface QuoteFinder {
  /** What is looked through: `bytesMax` bytes at most, and behind them 64 that are no quotes. */
  readonly memory: Uint8Array
  /** Where the quotes are that were found last. */
  readonly places: Uint16Array
  /** How many there are in so many bytes; `open` is 1 if the first of them belongs to a backslash before it. */
  findQuotes(length: number, open: number): number
}

/** Undefined where there is no WebAssembly, as with `--jitless`. */
export function loadQuoteFinder(): QuoteFinder | undefined {
  try {
    const { Instance, Module } = (globalThis as unknown as { WebAssembly: Assembly }).WebAssembly
    const { memory, findQuotes } = new Instance(new Module(Buffer.from(code.join(''), 'hex'))).exports
    const places = new Uint16Array(memory.buffer, 2 * bytesMax)
    return { memory: new Uint8Array(memory.buffer, 0, 2 * bytesMax), places, findQuotes }
  } catch {
    return undefined
  }
}

/** As much of `WebAssembly` as is used; the types of the language leave it to those of browsers. */
interface Assembly {
  Module: new (code: Uint8Array) => object
  Instance: new (
    module: object,
  ) => { exports: { memory: { buffer: ArrayBuffer }; findQuotes: QuoteFinder['findQuotes'] } }
}

/** One page. The second is there for what stands behind the end, and the two after it for the places. */
export const bytesMax = 65_536

/**
 * The module, a line for each step. It is written by hand, being small where a compiler for it would be large. Which bytes belong to a
 * backslash is told for all 64 at once: a run of backslashes carries over, as in an addition, to the byte behind it.
 */
const code = [
  '0061736d01000000', // the head of a module
  '01070160027f7f017f', // a type: (length, open) => how many
  '03020100', // one function, of this type
  '0503010004', // a memory of four pages
  '071702066d656d6f727902000a66696e6451756f7465730000', // exports: memory, findQuotes
  '0ae60201e30203037b067e027f', // the function; three vectors, six numbers of 64 bits, and two of 32
  '4122fd0f210341dc00fd0f2104', // the two bytes that are looked for, 16 times each
  '2001ad210741808008210c', // carry = open; out = the third page
  '02400340', // next: loop
  '200b20004f0d01', //   if (at >= length) break
  '200bfd0000002102', //   bytes = memory[at + 0 .. at + 16]
  '20022003fd23fd64ad2105', //   quotes = bits of bytes == '"'
  '20022004fd23fd64ad2106', //   slashes = bits of bytes == '\\'
  '200bfd0000102102', //   bytes = memory[at + 16 .. at + 32]
  '20022003fd23fd64ad4210862005842105', //   quotes |= bits of bytes == '"' << 16
  '20022004fd23fd64ad4210862006842106', //   slashes |= bits of bytes == '\\' << 16
  '200bfd0000202102', //   bytes = memory[at + 32 .. at + 48]
  '20022003fd23fd64ad4220862005842105', //   quotes |= bits of bytes == '"' << 32
  '20022004fd23fd64ad4220862006842106', //   slashes |= bits of bytes == '\\' << 32
  '200bfd0000302102', //   bytes = memory[at + 48 .. at + 64]
  '20022003fd23fd64ad4230862005842105', //   quotes |= bits of bytes == '"' << 48
  '20022004fd23fd64ad4230862006842106', //   slashes |= bits of bytes == '\\' << 48
  '200620078450450440', //   if (slashes | carry)
  '20062007427f85832106', //     slashes &= ~carry
  '20064201862007842108', //     behind = slashes << 1 | carry
  '200642aad5aad5aad5aad5aa7f832008427f85832109', //     odd = slashes & 0xaa.. & ~behind
  '200920067c220a200954ad2107', //     runs = odd + slashes; carry = runs < odd (it overflowed)
  '200542d5aad5aad5aad5aad500200a42018685200883427f858321050b', //     quotes &= ~((0x55.. ^ runs << 1) & behind)
  '0340200550450440', //   while (quotes)
  '200c200b20057aa76a3b0100', //     memory[out] = at + the number of the first bit, in two bytes
  '200c41026a210c', //     out += 2
  '2005200542017d8321050c010b0b', //     quotes &= quotes - 1
  '200b41c0006a210b0c000b0b', //   at += 64; continue next
  '200c418080086b4101760b', // return how many
]
