import type { MarkedLine } from './marked-lines.ts'

/** The bytes that lines of one kind have in common, and what such a line means to the caller. Strings that may differ are free. */
interface LineShape<Meaning> {
  /** The bytes between the free strings, with their quotes. */
  readonly fixed: Buffer
  /** How many of these bytes are before each free string, and after the last. */
  readonly lengths: Uint32Array
  /** Which strings of the line are free. */
  readonly free: Uint32Array
  readonly meaning: Meaning
}

/**
 * Recognises lines that differ from an earlier one only in the content of some strings, so that one of each kind has to
 * be parsed. The strings that differ are called free. They are not decoded.
 */
export class LineShapes<Meaning> {
  readonly #shapes = new Map<number, LineShape<Meaning>[]>()
  readonly #isFree: (key: string) => boolean
  #left = shapesMax

  /** `isFree` selects strings by their key. */
  constructor(isFree: (key: string) => boolean) {
    this.#isFree = isFree
  }

  /** What an earlier line of the same shape means. */
  find(line: MarkedLine): Meaning | undefined {
    const shapes = this.#shapes.get(line.quoteCount)
    if (shapes) for (const shape of shapes) if (fits(shape, line)) return shape.meaning
    return undefined
  }

  /**
   * Learns the shape of a line that is JSON. `interpret` gets the line with a placeholder in place of each free string, and
   * returns its meaning in terms of these placeholders. It returns undefined if lines of this shape can mean different things.
   */
  learn(line: MarkedLine, interpret: (text: string, free: readonly FreeString[]) => Meaning | undefined): void {
    const free = this.#freeStrings(line)
    const parts: Buffer[] = []
    let start = line.start
    for (const { index } of free) {
      parts.push(line.text.subarray(start, quoteAt(line, 2 * index) + 1))
      start = quoteAt(line, 2 * index + 1)
    }
    parts.push(line.text.subarray(start, line.end))
    const text = parts.map((part, at) => part.toString() + (free[at]?.name ?? '')).join('')
    const meaning = interpret(text, free)
    if (meaning === undefined) return
    if (this.#left-- === 0) {
      this.#shapes.clear()
      this.#left = shapesMax
    }
    const shapes = this.#shapes.get(line.quoteCount) ?? []
    this.#shapes.set(line.quoteCount, shapes)
    shapes.push({
      fixed: Buffer.concat(parts),
      lengths: Uint32Array.from(parts, ({ length }) => length),
      free: Uint32Array.from(free, ({ index }) => index),
      meaning,
    })
  }

  /** The string values whose key `isFree` selects, if nothing but a colon is between key and value. */
  #freeStrings(line: MarkedLine): FreeString[] {
    const found: FreeString[] = []
    for (let index = 1; 2 * index < line.quoteCount; index++) {
      const keyEnd = quoteAt(line, 2 * index - 1)
      if (quoteAt(line, 2 * index) !== keyEnd + 2 || line.text[keyEnd + 1] !== colon) continue
      const key = line.text.toString('utf8', quoteAt(line, 2 * index - 2) + 1, keyEnd)
      if (this.#isFree(key)) found.push({ index, key, name: `free ${found.length}` })
    }
    return found
  }
}

/** A string that may differ: its index among the strings of the line, its key, and the placeholder that `interpret` gets. */
export interface FreeString {
  readonly index: number
  readonly key: string
  readonly name: string
}

function fits({ fixed, lengths, free }: LineShape<unknown>, line: MarkedLine): boolean {
  const { text, words, firstQuote, start } = line
  let from = start
  for (let at = 0; at < free.length; at++) {
    const quote = firstQuote + 2 * (free[at] as number)
    if ((words[quote] as number) + 1 - from !== lengths[at]) return false
    from = words[quote + 1] as number
  }
  if (line.end - from !== lengths[free.length]) return false
  let place = 0
  from = start
  for (let at = 0; at < lengths.length; at++) {
    const end = place + (lengths[at] as number)
    for (const by = from - place; place < end; place++) if (fixed[place] !== text[place + by]) return false
    if (at < free.length) from = words[firstQuote + 2 * (free[at] as number) + 1] as number
  }
  return true
}

/** The offset of a quote of a line in its text. */
export const quoteAt = ({ words, firstQuote }: MarkedLine, index: number): number => words[firstQuote + index] as number

const colon = 0x3a

/** When this many shapes are known, the next one replaces them all. */
const shapesMax = 256
