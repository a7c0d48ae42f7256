import { moduleBase64 } from './find-quotes-module.ts'

/**
 * Finds the quotes that delimit JSON strings: those not escaped by a backslash. In text with many of them, such as JSON inside JSON,
 * every way to do this in JavaScript was slower than parsing the text. The source is find-quotes.wat.
 */
export interface QuoteFinder {
  /** The text to search: at most `bytesMax` bytes, followed by 64 bytes that are not quotes. */
  readonly memory: Uint8Array
  /** Positions of the quotes that the last search found. */
  readonly places: Uint16Array
  /**
   * Searches the first `length` bytes and returns the number of quotes, plus `surrogateFlag` if there may be an escaped surrogate. `open`
   * is 1 if the first byte is escaped by a backslash before it.
   */
  findQuotes(length: number, open: number): number
}

/** Undefined where there is no WebAssembly, as with `--jitless`. */
export function loadQuoteFinder(): QuoteFinder | undefined {
  try {
    const { Instance, Module } = (globalThis as unknown as { WebAssembly: Assembly }).WebAssembly
    const { memory, findQuotes } = new Instance(new Module(Buffer.from(moduleBase64, 'base64'))).exports
    const places = new Uint16Array(memory.buffer, 2 * wasmPageBytes)
    return { memory: new Uint8Array(memory.buffer, 0, 2 * wasmPageBytes), places, findQuotes }
  } catch {
    return undefined
  }
}

/** The part of `WebAssembly` that is used; TypeScript declares it with the types of browsers only. */
interface Assembly {
  Module: new (code: Uint8Array) => object
  Instance: new (
    module: object,
  ) => { exports: { memory: { buffer: ArrayBuffer }; findQuotes: QuoteFinder['findQuotes'] } }
}

/** In the result of a search: a backslash, a `u` and a `d` are in a row. */
export const surrogateFlag = 2 ** 30

/** One page of WebAssembly memory. */
export const wasmPageBytes = 65_536
