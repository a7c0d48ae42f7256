import { isUtf8 } from 'node:buffer'
import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { isRecord } from '../../../core/conversation.ts'
import { elementSpans, type TextSpan } from '../../../core/json/json-spans.ts'
import { fileError } from '../../files/file-error.ts'
import { type Fingerprint, fingerprint } from '../../files/fingerprint.ts'
import { parseJson } from '../../files/parse-json.ts'
import { printLike } from '../../files/print-like.ts'
import { readRegularFile } from '../../files/regular-file.ts'
import { byteOrderMarkLength } from '../../files/source.ts'

export type SessionEntry = Readonly<Record<string, unknown>>

/** A session file: the front matter, and the list of entries. */
export interface SessionFile {
  readonly path: string
  readonly id: string
  /** Without the byte order mark. */
  readonly text: string
  readonly mark: Buffer
  readonly fingerprint: Fingerprint
  /** The position of the list, and of its entries. */
  readonly list: TextSpan
  readonly spans: readonly TextSpan[]
  readonly entries: readonly SessionEntry[]
}

/** The front matter, and what follows it; undefined if the text has none. */
export function frontOf(text: string): { text: string; body: string } | undefined {
  const [whole, front] = /^---\r?\n([\s\S]*?)\r?\n---(\r?\n|$)/.exec(text) ?? []
  return whole === undefined || front === undefined ? undefined : { text: front, body: text.slice(whole.length) }
}

/** Reads a session. Throws a one-line error if it is not one. */
export function readSession(path: string): SessionFile {
  if (statSync(path).size > bytesMax) throw fileError(path, 'it is a session of more than 256 MB')
  const before = fingerprint(path)
  const bytes = readRegularFile(path)
  if (!isUtf8(bytes)) throw fileError(path, 'it is not UTF-8')
  const mark = Buffer.from(bytes.subarray(0, byteOrderMarkLength(bytes)))
  const text = bytes.subarray(mark.length).toString()
  const front = frontOf(text)
  const start = text.length - (front?.body ?? text).trimStart().length
  const body = text.slice(start).trimEnd()
  if (!front || body === '') throw fileError(path, 'its list of messages is missing', cutHint)
  const line = text.slice(0, start).split('\n').length
  const value = parseJson(body, path, JSON.parse, line)
  if (!Array.isArray(value) || !value.every(isRecord)) throw fileError(path, 'it holds no list of messages')
  return {
    path,
    id: frontValue(front.text, 'threadId') ?? frontValue(front.text, 'sessionId') ?? basename(path, '.md'),
    text,
    mark,
    fingerprint: before,
    list: { start, end: start + body.length },
    spans: elementSpans(text, start),
    entries: value,
  }
}

const bytesMax = 256 * 1024 * 1024
const cutHint = 'madz may have been stopped while it wrote the file'

function frontValue(front: string, key: string): string | undefined {
  const written = new RegExp(`^${key}:[ \\t]*([^\\r\\n]*)`, 'm').exec(front)?.[1]?.trim()
  if (!written?.startsWith('"')) return written === 'null' ? undefined : written || undefined
  try {
    return JSON.parse(written) || undefined
  } catch {
    return undefined
  }
}

/**
 * The file with other entries: unchanged ones as written, and the front matter as the program would write it for them.
 */
export function writtenSession({ text, list, entries, mark }: SessionFile, healed: readonly SessionEntry[]): Buffer {
  const { start, end } = list
  const front = withValue(text.slice(0, start), 'messageCount', String(healed.length))
  const begin = healed[0]?.timestamp
  const head = typeof begin === 'string' ? withValue(front, 'startedAt', quoted(begin)) : front
  const body = printLike({ text: text.slice(start, end), value: entries }, healed)
  return Buffer.concat([mark, Buffer.from(head + body + text.slice(end))])
}

const withValue = (front: string, key: string, value: string): string =>
  front.replace(new RegExp(`^(${key}:[ \\t]*)[^\\r\\n]*`, 'm'), (_, begin) => begin + value)

/** As madz quotes text in the front matter. */
const quoted = (text: string): string => `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')}"`
