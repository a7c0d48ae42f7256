import { loadQuoteFinder, type QuoteFinder, surrogateFlag, wasmPageBytes } from './find-quotes.ts'

/**
 * The outline of a JSON text: the same text with long content strings replaced by one letter. It is enough to see whether a history is
 * healthy, and short, so that parsing it takes little time. Reads the bytes as they arrive.
 *
 * `#kept` holds the first `#length` bytes of the outline. `#isInside`: the next byte is inside a string. `#start`: where that string
 * begins in `#kept`. `#open`: where its opening quote is, relative to the next byte. `#isSkipped`: the rest of the string is left out.
 * `#isEscaped` is 1 if the next byte is escaped by a backslash. `#taken` is how many bytes came before this piece. `#places` has pairs of
 * a place in `#kept` and of how much earlier it was than in the bytes; `#less` is the last difference.
 */
export class JsonOutline {
  #kept = none
  #length = 0
  #isInside = false
  #start = 0
  #open = 0
  #isSkipped = false
  #isEscaped = 0
  #isDoubtful = false
  #taken = 0
  readonly #places: number[] = []
  #less = 0
  /** The end of the bytes so far, if it may be part of an escape. */
  #tail = ''

  push(chunk: Buffer): void {
    if (!finder) this.#isDoubtful = true
    else
      for (let at = 0; at < chunk.length && !this.#isDoubtful; at += wasmPageBytes)
        this.#take(chunk.length <= wasmPageBytes ? chunk : chunk.subarray(at, at + wasmPageBytes), finder)
  }

  /** Whether an escape is a lone surrogate. What may be part of a pair at the end waits for the next piece. */
  #hasLoneSurrogate(piece: Buffer, mayHaveSurrogates: boolean): boolean {
    const isSuspect = this.#tail !== '' || mayHaveSurrogates
    const from = isSuspect ? 0 : Math.max(0, piece.length - escapeMax)
    const text = this.#tail + piece.toString('latin1', from)
    this.#tail = openEscape.exec(text.slice(-escapeMax))?.[0] ?? ''
    return isSuspect && loneSurrogate.test(text.slice(0, text.length - this.#tail.length))
  }

  /** The outline. Undefined if it is too long, or if a string must be read in full. */
  get text(): string | undefined {
    return this.#isDoubtful ? undefined : this.#kept.toString('utf8', 0, this.#length)
  }

  /** The outline with one character a byte, in which all places outside of strings can be found. */
  get latin1(): string {
    return this.#kept.toString('latin1', 0, this.#length)
  }

  /** Where the byte at a place of the outline was, outside of strings. */
  placeOf(at: number): number {
    let [low, high] = [0, this.#places.length / 2]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#places[2 * middle] as number) <= at) low = middle + 1
      else high = middle
    }
    return at + (low === 0 ? 0 : (this.#places[2 * low - 1] as number))
  }

  /** `from` is the first byte of the piece that is neither kept nor left out so far. */
  #take(piece: Buffer, { memory, places, findQuotes }: QuoteFinder): void {
    memory.set(piece)
    memory.fill(0, piece.length, piece.length + 64)
    const found = findQuotes(piece.length, this.#isEscaped)
    const count = found % surrogateFlag
    if (this.#hasLoneSurrogate(piece, found !== count)) {
      this.#isDoubtful = true
      return
    }
    this.#isEscaped = isOpenAt(piece, this.#isEscaped)
    let isInside = this.#isInside
    let open = this.#open
    let from = 0
    for (let index = 0; index < count; index++) {
      const at = places[index]
      if (at === undefined) break
      if (isInside && at - open > headMax + 1) {
        from = this.#leaveOut(piece, from, open, at)
        this.#isSkipped = false
      }
      if (!isInside) open = at
      isInside = !isInside
    }
    if (isInside) from = this.#leaveOut(piece, from, open, piece.length)
    this.#keep(piece, from, piece.length)
    this.#isInside = isInside
    this.#open = open - piece.length
    this.#taken += piece.length
  }

  /** Leaves out the string that begins at `open`, up to `to`, if possible. Returns the first byte that is not kept yet. */
  #leaveOut(piece: Buffer, from: number, open: number, to: number): number {
    if (this.#isSkipped) return to
    if (open >= from) {
      this.#keep(piece, from, open + 1)
      this.#start = this.#length
    }
    const start = Math.max(from, open + 1)
    if (to - open <= headMax + 1 || !this.#isContent()) return start
    if (open < 0 || !isWord(piece[start])) {
      this.#keep(piece, start, Math.max(start, open + 1 + headMax))
      if (!hasWord(this.#kept, this.#start, this.#length)) this.#isDoubtful = true
    } else if (this.#length === this.#kept.length) this.#makeRoom(this.#length + 1)
    this.#kept[this.#start] = letter
    this.#length = this.#start + 1
    this.#isSkipped = true
    return to
  }

  #keep(piece: Buffer, from: number, to: number): void {
    const end = this.#length + to - from
    if (end > outlineMax) {
      this.#isDoubtful = true
      return
    }
    if (end > this.#kept.length) this.#makeRoom(end)
    const less = this.#taken + from - this.#length
    if (less !== this.#less) this.#places.push(this.#length, less)
    this.#less = less
    const kept = this.#kept
    let length = this.#length
    if (to - from > farMax) piece.copy(kept, length, from, to)
    else for (let at = from; at < to; at++) kept[length++] = piece[at] ?? 0
    this.#length = end
  }

  /** Whether the string that begins at `#start` is the value of a content field. */
  #isContent(): boolean {
    const kept = this.#kept
    let at = this.#start - 2
    while (at > 0 && (kept[at] === space || kept[at] === newline)) at--
    if (kept[at] !== colon) return false
    at--
    while (at > 0 && (kept[at] === space || kept[at] === newline)) at--
    const ends = kept[at] === mark ? endings[kept[at - 1] ?? 0] : undefined
    if (ends) for (const end of ends) if (endsWith(kept, at, end)) return true
    return false
  }

  #makeRoom(bytes: number): void {
    const more = Buffer.allocUnsafe(Math.max(2 * bytes, 4096))
    this.#kept.copy(more, 0, 0, this.#length)
    this.#kept = more
  }
}

/** A longer outline is not kept: it is parsed on the event loop, which must stay responsive whatever the body holds. */
export const outlineMax = 2 * 1024 * 1024

const none = Buffer.allocUnsafe(0)

/** The escape of a lone surrogate, and the beginning of an escape that the next bytes may complete to a pair. */
const loneSurrogate = /\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]/
const openEscape = /(?:\\u[dD][89abAB][\da-fA-F]{2})?(?:\\(?:u(?:[dD][\da-fA-F]{0,2})?)?)?$/
const escapeMax = 11

/** A string up to this length is kept unchanged. */
const headMax = 32

/** More bytes than this are copied by `Buffer.copy`, fewer one by one. */
const farMax = 24

/** The bytes of `"`, `\`, `:`, a space, a line feed and `x`. */
const [mark, backslash, colon, space, newline, letter] = [0x22, 0x5c, 0x3a, 0x20, 0x0a, 0x78]

/** Content fields of all formats: only whether their text is blank matters. By last letter. */
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

/** Shared by all outlines: each piece is searched synchronously. */
const finder = loadQuoteFinder()

/** 1 if the byte after a piece is escaped by a backslash. */
function isOpenAt(piece: Buffer, isEscaped: number): number {
  let at = piece.length
  while (at > 0 && piece[at - 1] === backslash) at--
  return (piece.length - at + (at === 0 ? isEscaped : 0)) & 1
}

/** Whether a byte of a JSON string is certainly not white space. */
const isWord = (byte: number | undefined): boolean =>
  byte !== undefined && byte > space && byte < 0x80 && byte !== backslash

/** Whether the beginning of a JSON string certainly contains more than white space. */
function hasWord(bytes: Buffer, from: number, to: number): boolean {
  if (isWord(bytes[from])) return true
  // A character or an escape that was cut in two says nothing.
  let end = to
  while (end > from && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--
  if ((bytes[end - 1] ?? 0) >= 0xc0) end--
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
