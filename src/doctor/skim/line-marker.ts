import { moduleBase64 } from './mark-lines-module.ts'

/**
 * Finds lines, and the quotes that delimit strings in them, in a text in its own memory. The source is mark-lines.wat.
 * The memory has room for the text, then for the places of the quotes (two bytes for each of the text), then for the
 * lines (one byte for each).
 */
export class LineMarker {
  /** How many bytes of text there is room for. */
  capacity = 0
  text: Buffer = Buffer.alloc(0)
  /** The memory as numbers of four bytes. */
  words: Int32Array = new Int32Array(0)
  readonly #exports: Exports

  constructor(exports: Exports) {
    this.#exports = exports
    this.#look()
  }

  /**
   * The number of lines in the first bytes, which end with a line break. Undefined if there are too many marks, a
   * control character, or an escape that JSON does not have.
   */
  mark(length: number): number | undefined {
    const quotes = this.#quotes
    const lines = this.#lines
    const count = this.#exports.markLines(0, length, quotes, lines, lines, lines + this.capacity)
    return count < 0 ? undefined : count
  }

  /** Where the places of the quotes begin in `words`. */
  get firstQuote(): number {
    return this.#quotes >> 2
  }

  /** Where the lines begin in `words`: for each the place of its line break, and the address after its last quote. */
  get firstLine(): number {
    return this.#lines >> 2
  }

  /** Makes room for twice as much text, up to a limit. The text stays. */
  grow(): boolean {
    if (this.capacity > capacityMax / 2) return false
    try {
      this.#exports.memory.grow(this.#exports.memory.buffer.byteLength / pageBytes)
    } catch {
      return false
    }
    this.#look()
    return true
  }

  #look(): void {
    const { buffer } = this.#exports.memory
    this.capacity = (Math.floor((buffer.byteLength - 2 * stepBytes) / 4) >> 6) << 6
    this.text = Buffer.from(buffer, 0, this.capacity)
    this.words = new Int32Array(buffer)
  }

  get #quotes(): number {
    return this.capacity + stepBytes
  }

  get #lines(): number {
    return this.#quotes + 2 * this.capacity
  }
}

/** So many bytes are searched at once, also after the end of the text. */
const stepBytes = 64
const pageBytes = 65_536
const capacityMax = 16 * 1024 * 1024

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number }
  readonly markLines: (
    at: number,
    end: number,
    quotes: number,
    quotesEnd: number,
    lines: number,
    linesEnd: number,
  ) => number
}

/** The part of `WebAssembly` that is used; TypeScript declares it with the types of browsers only. */
interface Assembly {
  Module: new (code: Uint8Array) => object
  Instance: new (module: object) => { exports: Exports }
}

/** Undefined where there is no WebAssembly, as with `--jitless`. */
export function loadLineMarker(): LineMarker | undefined {
  try {
    const { Instance, Module } = (globalThis as unknown as { WebAssembly: Assembly }).WebAssembly
    return new LineMarker(new Instance(new Module(Buffer.from(moduleBase64, 'base64'))).exports)
  } catch {
    return undefined
  }
}
