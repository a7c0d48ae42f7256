import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { isKnownSession } from '../../../doctor/files/read-history.ts'
import { readSource, type SourceText, sourceOf } from '../../../doctor/files/source.ts'
import { readBody } from '../../../heal/request/request-body.ts'
import { isTape } from '../../../observe/tape/read-tape.ts'
import { findHistories } from '../../unwrap/find-histories.ts'

/** JSONL with requests, as a stream: only one line at a time is in memory. */
export interface LineStream {
  readonly name: string
  readonly path?: string
  readonly bytesTotal?: number
  readonly lines: AsyncIterable<StreamLine>
}

export interface StreamLine {
  /** From 1. */
  readonly number: number
  readonly bytes: Buffer
  /** The bytes of the input up to the end of this line. */
  readonly bytesRead: number
}

/** Opens a file, or standard input for `-`: as a whole, or line by line if the lines hold requests. */
export async function openInput(file: string): Promise<SourceText | LineStream> {
  const name = file === '-' ? '<stdin>' : file
  const size = file === '-' ? undefined : await regularSize(file)
  if (file !== '-' && size === undefined) return readSource(file)
  if (file === '-' && process.stdin.isTTY) return readSource(file)
  const chunks = (file === '-' ? process.stdin : createReadStream(file, { highWaterMark: blockBytes }))[
    Symbol.asyncIterator
  ]()
  const head: Buffer[] = []
  let length = 0
  let isEnd = false
  while (!isEnd && (length < headBytes || (length < headBytesMax && !head.at(-1)?.includes(lineBreak)))) {
    const { value, done } = await chunks.next()
    if (done) isEnd = true
    else length += head.push(value) && value.length
  }
  const start = Buffer.concat(head)
  const rest = restOf(start, chunks)
  if (holdRequests(start, isEnd, name)) {
    return {
      name,
      ...(file === '-' ? {} : { path: file }),
      ...(size === undefined ? {} : { bytesTotal: size }),
      lines: linesOf(rest),
    }
  }
  if (file === '-') return sourceOf(name, rest)
  await chunks.return?.()
  return readSource(file)
}

const lineBreak = 0x0a
const blockBytes = 1024 * 1024
/** How many bytes are read to find out whether lines contain requests; more only if the first line has not ended by then. */
const [headBytes, headBytesMax] = [256 * 1024, 64 * 1024 * 1024]
const linesLookedAt = 20

async function regularSize(file: string): Promise<number | undefined> {
  const found = await stat(file).catch(() => undefined)
  return found?.isFile() ? found.size : undefined
}

async function* restOf(start: Buffer, chunks: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield start
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value
}

/** Whether the first lines are JSON, and one of them holds a request. One line alone may be a document of its own. */
function holdRequests(start: Buffer, isEnd: boolean, name: string): boolean {
  const text = start.toString('utf8').replace(/^\uFEFF/, '')
  if (isTape(text)) return false
  const lines = text.split('\n', linesLookedAt + 1)
  if (!isEnd || lines.length > linesLookedAt) lines.pop()
  const records = lines
    .filter(line => line.trim() !== '')
    .map(line => (/^\s*\{/.test(line) ? tryParseJson(line) : undefined))
  const [first] = records
  if (first === undefined || isKnownSession(records)) return false
  if (records.length < 2 && !/\.(jsonl|ndjson)$/i.test(name) && isEnd) return false
  return records.some(record => record !== undefined && isRequest(record))
}

const isRequest = (record: unknown): boolean => !isMessage(record) && findHistories(record, JSON.parse).length > 0

const isMessage = (record: unknown): boolean =>
  typeof (record as { role?: unknown }).role === 'string' && readBody(record) === undefined

/** The lines of a stream as they come, with their line breaks. */
export async function* linesOf(blocks: AsyncIterable<Buffer>): AsyncGenerator<StreamLine> {
  let pieces: Buffer[] = []
  let number = 0
  let bytesRead = 0
  const line = (last: Buffer): StreamLine => {
    const bytes = pieces.length === 0 ? last : Buffer.concat([...pieces, last])
    pieces = []
    number++
    bytesRead += bytes.length
    return { number, bytes, bytesRead }
  }
  for await (const block of blocks) {
    let start = 0
    for (let end = block.indexOf(lineBreak); end >= 0; end = block.indexOf(lineBreak, start)) {
      yield line(block.subarray(start, end + 1))
      start = end + 1
    }
    if (start < block.length) pieces.push(block.subarray(start))
  }
  if (pieces.length > 0) yield line(Buffer.alloc(0))
}
