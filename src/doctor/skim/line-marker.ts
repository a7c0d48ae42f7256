import { moduleBase64 } from './mark-lines-module.ts'

/**
 * Finds the lines of a text, and the quotes that delimit strings in them, with WebAssembly (mark-lines.wat). Its memory
 * has three parts: the text (`capacity` bytes), the offsets of the quotes (2 * `capacity` bytes) and the lines
 * (`capacity` bytes).
 */
export class LineMarker {
  /** How many bytes of text there is room for. */
  capacity = 0
  text: Buffer = Buffer.alloc(0)
  /** The memory as 32-bit integers. */
  words: Int32Array = new Int32Array(0)
  readonly #exports: Exports

  constructor(exports: Exports) {
    this.#exports = exports
    this.#createViews()
  }

  /**
   * The number of lines in the first `length` bytes of the text, which end with a line break. Undefined if there are too
   * many quotes or lines, or if there is a control character or an escape that JSON does not have.
   */
  mark(length: number): number | undefined {
    const quotes = this.#quotes
    const lines = this.#lines
    const count = this.#exports.markLines(0, length, quotes, lines, lines, lines + this.capacity)
    return count < 0 ? undefined : count
  }

  /** The index in `words` of the offset of the first quote. */
  get firstQuote(): number {
    return this.#quotes >> 2
  }

  /** The index in `words` of the first line. Each line is two numbers: the offset of its line break, and the address of the first quote after it. */
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
    this.#createViews()
    return true
  }

  #createViews(): void {
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

/** How many bytes are searched at once. The last step may read this far after the end of the text. */
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
