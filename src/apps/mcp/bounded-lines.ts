import { Transform, type TransformCallback } from 'node:stream'
import { ChunkList } from '../../integrations/proxy/chunk-list.ts'

/** The beginning and the end of a line that was left out. */
export type LongLine = readonly [head: string, tail: string]

/** Passes lines on, each as one chunk, so that the reader need not join any. A line that is too long is left out, and reported. */
export class BoundedLines extends Transform {
  readonly #bytesMax: number
  readonly #onLong: (line: LongLine) => void
  readonly #list = new ChunkList()
  #bytes = 0

  constructor(bytesMax: number, onLong: (line: LongLine) => void) {
    super({ readableObjectMode: true })
    this.#bytesMax = bytesMax
    this.#onLong = onLong
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#add(chunk.subarray(start, end + 1))
      this.#endLine()
      start = end + 1
    }
    if (start < chunk.length) this.#add(chunk.subarray(start))
    done()
  }

  #add(chunk: Buffer): void {
    this.#bytes += chunk.length
    this.#list.push(chunk)
    if (this.#bytes > this.#bytesMax) this.#keepEnds()
  }

  #keepEnds(): void {
    const whole = Buffer.concat(this.#list.chunks)
    if (whole.length <= 2 * endMax) return
    this.#list.clear()
    this.#list.push(Buffer.concat([whole.subarray(0, endMax), whole.subarray(-endMax)]))
  }

  #endLine(): void {
    const line = Buffer.concat(this.#list.chunks)
    if (this.#bytes <= this.#bytesMax) this.push(line)
    else this.#onLong([line.toString('utf8', 0, endMax), line.toString('utf8', Math.max(0, line.length - endMax))])
    this.#list.clear()
    this.#bytes = 0
  }
}

const newline = 10
/** How much of a long line is kept at each end. */
const endMax = 512

/** The id of a JSON-RPC request whose middle is unknown: it is one of the first two fields, or the last. */
export function requestIdOf([head, tail]: LongLine): string | number | undefined {
  const [, id] = firstId.exec(head) ?? lastId.exec(tail) ?? []
  if (id === undefined) return undefined
  try {
    return JSON.parse(id)
  } catch {
    return undefined
  }
}

const firstId = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d{1,15}|"(?:[^"\\]|\\.){0,200}")\s*,/
const lastId = /,\s*"id"\s*:\s*(\d{1,15}|"(?:[^"\\]|\\.){0,200}")\s*\}\s*$/
