import { plain } from '../plain.ts'

interface ProgressStream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Says how far a long input has been read: on a terminal in one line that is overwritten, otherwise with an occasional line. */
export class InputProgress {
  readonly #name: string
  readonly #stream: ProgressStream
  readonly #now: () => number
  readonly #start: number
  readonly #said = new Set<string>()
  #last: number
  #isShown = false

  constructor(file: string, stream: ProgressStream = process.stderr, now: () => number = () => performance.now()) {
    this.#name = plain(file === '-' ? '<stdin>' : file)
    this.#stream = stream
    this.#now = now
    this.#start = now()
    this.#last = this.#start
  }

  /** Shows how many bytes were read. The total may be unknown. */
  read(bytes: number, bytesTotal: number | undefined): void {
    const now = this.#now()
    if (now - this.#start < quietMs || now - this.#last < (this.#stream.isTTY ? 100 : 10_000)) return
    this.#last = now
    this.#write(
      bytesTotal === undefined ? `${megabytes(bytes)} MB` : `${megabytes(bytes)} of ${megabytes(bytesTotal)} MB`,
    )
  }

  /** Announces, once, work during which no progress can be shown, if there are many bytes or the command has already taken long. */
  begin(work: string, bytes: number): void {
    const isQuick = bytes < shortBytes || (bytes < longBytes && this.#now() - this.#start < quietMs)
    if (this.#said.has(work) || isQuick) return
    this.#said.add(work)
    this.clear()
    this.#stream.write(`antiphon: ${this.#name}: ${work} ${megabytes(bytes)} MB ...\n`)
  }

  /** Removes the progress line. Call it before anything else is printed. */
  clear(): void {
    if (this.#isShown) this.#stream.write('\r\u001b[K')
    this.#isShown = false
  }

  #write(words: string): void {
    const line = `antiphon: ${this.#name}: ${words}`
    if (!this.#stream.isTTY) this.#stream.write(`${line} ...\n`)
    else {
      this.#stream.write(`\r\u001b[K${line.slice(0, (this.#stream.columns || 80) - 1)}`)
      this.#isShown = true
    }
  }
}

/** No progress is shown for work that takes less time. */
const quietMs = 2_000

/** Parsing and checking this many bytes takes about two seconds. */
const longBytes = 64 * 2 ** 20

/** Parsing and checking this few takes no time: if two seconds have passed, the machine was busy. */
const shortBytes = 4 * 2 ** 20

const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20)
