import { bytesMax, loadSkipper, type Skipper } from './skip-string.ts'

/**
 * The outline of a JSON text: the same text, in which long strings that only say something are one letter. It is enough to
 * see whether a history is whole, and a small part of the text, so that it is parsed in no time. Takes the bytes as they come.
 *
 * `#kept` has the first `#length` bytes of the outline. `#state` is where the next byte stands: between strings, in a string that is
 * kept, or in one that can be left out. Of the latter the bytes from `#start` on are kept until there are `headMax` of them; then it
 * is long, and the rest is `skipped`. `#isEscaped` says that the next byte belongs to a backslash.
 */
export class Outline {
  #kept = Buffer.allocUnsafe(0)
  #length = 0
  #state: 'between' | 'kept' | 'head' | 'skipped' = 'between'
  #start = 0
  #isEscaped = false
  #isDoubtful = false

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && !this.#isDoubtful; at += bytesMax)
      this.#take(chunk.subarray(at, at + bytesMax))
  }

  #take(piece: Buffer): void {
    if (!skipper) this.#isDoubtful = true
    if (!skipper) return
    this.#makeRoom(piece.length)
    skipper.memory.set(piece)
    skipper.memory.fill(mark, piece.length, piece.length + 2)
    let at = 0
    while (at < piece.length && !this.#isDoubtful) {
      if (this.#state === 'between') at = this.#between(piece, at)
      else if (this.#state === 'skipped') at = this.#skip(skipper, at, piece.length)
      else at = this.#keep(piece, at)
    }
  }

  /** Undefined if there is a string of which cannot be said what it is without reading it. */
  text(): string | undefined {
    return this.#isDoubtful ? undefined : this.#kept.toString('utf8', 0, this.#length)
  }

  /** Whatever stands between strings, and the quote that opens the next. */
  #between(chunk: Buffer, from: number): number {
    const kept = this.#kept
    let length = this.#length
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]
      kept[length++] = byte
      if (byte !== mark) continue
      this.#length = this.#start = length
      this.#state = this.#isWords() ? 'head' : 'kept'
      return at + 1
    }
    this.#length = length
    return chunk.length
  }

  /** A string, as far as it is kept. */
  #keep(chunk: Buffer, from: number): number {
    const kept = this.#kept
    const room = this.#state === 'head' ? this.#start + headMax - this.#length : chunk.length
    const to = Math.min(from + room, chunk.length)
    let length = this.#length
    let isEscaped = this.#isEscaped
    for (let at = from; at < to; at++) {
      const byte = chunk[at]
      kept[length++] = byte
      if (isEscaped) isEscaped = false
      else if (byte === backslash) isEscaped = true
      else if (byte === mark) {
        this.#length = length
        this.#isEscaped = false
        this.#state = 'between'
        return at + 1
      }
    }
    this.#length = length
    this.#isEscaped = isEscaped
    if (to < chunk.length) this.#leaveOut()
    return to
  }

  /** The rest of a string that is left out. The bytes are those of the skipper's memory. */
  #skip({ skip }: Skipper, from: number, end: number): number {
    const quote = skip(from + Number(this.#isEscaped))
    this.#isEscaped = quote > end
    return quote < end ? this.#close(quote) : end
  }

  #close(quote: number): number {
    this.#kept[this.#length++] = mark
    this.#state = 'between'
    return quote + 1
  }

  #leaveOut(): void {
    if (!hasWord(this.#kept, this.#start, this.#length)) this.#isDoubtful = true
    this.#kept[this.#start] = letter
    this.#length = this.#start + 1
    this.#state = 'skipped'
  }

  /** Whether the string that begins here is the value of a field that only says something. */
  #isWords(): boolean {
    const kept = this.#kept
    let at = this.#start - 2
    while (at > 0 && (kept[at] === space || kept[at] === newline)) at--
    if (kept[at] !== colon) return false
    at--
    while (at > 0 && (kept[at] === space || kept[at] === newline)) at--
    const ends = kept[at] === mark ? endings[kept[at - 1]] : undefined
    if (ends) for (const end of ends) if (endsWith(kept, at, end)) return true
    return false
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes + headMax
    if (needed <= this.#kept.length) return
    const more = Buffer.allocUnsafe(needed * 2)
    this.#kept.copy(more, 0, 0, this.#length)
    this.#kept = more
  }
}

/** A string up to this long is kept as it is. */
const headMax = 32

const [mark, backslash, colon, space, newline, letter] = [...Buffer.from('"\\: \nx')]

/** Fields of all wires of which only matters whether there are words in them, by their last letter. */
const endings: (Buffer[] | undefined)[] = Array(256).fill(undefined)
for (const name of ['content', 'text', 'output', 'data', 'url', 'thinking', 'description']) {
  const last = name.charCodeAt(name.length - 1)
  endings[last] = [...(endings[last] ?? []), Buffer.from(`"${name}"`)]
}

function endsWith(bytes: Buffer, last: number, end: Buffer): boolean {
  const from = last - end.length + 1
  if (from < 0) return false
  for (let at = 0; at < end.length; at++) if (bytes[from + at] !== end[at]) return false
  return true
}

/** All outlines share it: a piece is looked through at once. */
const skipper = loadSkipper()

/** Whether there is surely more than white space in the beginning of a JSON string. */
function hasWord(bytes: Buffer, from: number, to: number): boolean {
  const first = bytes[from]
  if (first > space && first < 0x80 && first !== backslash) return true
  // Of a character that was cut through nothing can be said, nor of an escape.
  let end = to
  while (end > from && (bytes[end - 1] & 0xc0) === 0x80) end--
  if (bytes[end - 1] >= 0xc0) end--
  const text = bytes.toString('utf8', from, end)
  for (let cut = text.length; cut > text.length - escapeLength; cut--) {
    try {
      return JSON.parse(`"${text.slice(0, cut)}"`).trim() !== ''
    } catch {}
  }
  return false
}

/** As in `\u00e9`. */
const escapeLength = 6
