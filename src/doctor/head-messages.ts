import { isRecord } from '../core/conversation.ts'
import { elementSpans, endOfString, endOfValue, skipSpace } from '../core/json/json-spans.ts'
import { tryParseJson } from '../core/json/try-parse-json.ts'
import { historyFields } from '../heal/request/request-body.ts'
import type { Peek } from './peek.ts'

/** The messages in the head of a file: those that are complete there. */
export interface HeadMessages {
  readonly form: 'list' | 'body' | 'lines'
  /** The key of the request body that holds the list. */
  readonly key?: string
  readonly messages: readonly unknown[]
  /** The keys of the body before the list, and after it if it ends in the head. */
  readonly keys: readonly string[]
  /** The head is the whole file. */
  readonly isAll: boolean
}

/**
 * The messages at the beginning of a file that may be a JSON list, a JSON object with such a list, or lines of JSON.
 * `accepts` selects the list of an object by its key and its visible content.
 */
export function headMessages(peek: Peek, accepts: Accepts = isRoot): HeadMessages | undefined {
  if (peek.kind !== 'file') return undefined
  const text = peek.headText().replace(/^\uFEFF/, '')
  const isAll = peek.head().length < headBytes
  const start = text.search(/\S/)
  if (start < 0) return undefined
  if (text[start] === '[') return { form: 'list', messages: elements(text, start), keys: [], isAll }
  if (text[start] !== '{') return undefined
  const firstLine = lineValue(text)
  if (isRecord(firstLine) && /\n[^\S\n]*\{/.test(text))
    return { form: 'lines', messages: lines(text, isAll), keys: [], isAll }
  const body = bodyIn(text, start, accepts)
  if (body) return { form: 'body', ...body, isAll }
  return isRecord(firstLine) ? { form: 'lines', messages: [firstLine], keys: [], isAll } : undefined
}

type Accepts = (key: string, messages: readonly unknown[]) => boolean

/** The keys of the list in requests. */
const isRoot: Accepts = key => historyFields.includes(key)

const headBytes = 64 * 1024

const lineValue = (text: string): unknown => tryParseJson(text.slice(0, ends(text.indexOf('\n'), text)))

function lines(text: string, isAll: boolean): unknown[] {
  const all = text.split('\n')
  return (isAll ? all : all.slice(0, -1)).filter(line => line.trim() !== '').map(line => tryParseJson(line))
}

function bodyIn(
  text: string,
  start: number,
  accepts: Accepts,
): Pick<HeadMessages, 'key' | 'messages' | 'keys'> | undefined {
  const seen: string[] = []
  let found: { key: string; messages: readonly unknown[] } | undefined
  for (let at = skipSpace(text, start + 1); text[at] === '"'; ) {
    const keyEnd = endOfString(text, at)
    const key = tryParseJson(text.slice(at, keyEnd))
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1)
    if (typeof key !== 'string' || value >= text.length) break
    seen.push(key)
    const messages = text[value] === '[' ? elements(text, value) : undefined
    if (messages && accepts(key, messages)) found ??= { key, messages }
    const end = endOfValue(text, value)
    if (end === undefined) break
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return found && { ...found, keys: seen }
}

/** The complete elements of the list that starts at `at`. */
const elements = (text: string, at: number): unknown[] =>
  elementSpans(text, at).map(({ start, end }) => tryParseJson(text.slice(start, end)))

const ends = (found: number, text: string): number => (found < 0 ? text.length : found)
