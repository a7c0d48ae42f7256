import { isRecord } from '../../../../core/conversation.ts'
import { findSyntaxError, lineAndColumn } from '../../../../doctor/files/json-syntax-error.ts'
import { isLines, splitLines } from '../../../../doctor/files/lines.ts'
import { mostAreMessages } from '../../../../doctor/files/most-are-messages.ts'
import { historyFields, readBody } from '../../../../heal/request/request-body.ts'
import { isTape } from '../../../../observe/tape/read-tape.ts'
import { unwrap } from '../../../unwrap/unwrap.ts'
import type { Document } from '../../protocol.ts'
import { tapeDocument } from '../../tape-document.ts'

/**
 * Reads a text as a document: a list of messages, a request body, one message per line, or a tape. Throws an Error with one line if it is
 * none of them.
 */
export function readText(name: string, text: string): Document {
  const [first] = readTexts(name, text)
  if (!first) throw new Error(`${name} is empty`)
  return first
}

/**
 * Reads all documents of a text: also those that are in a curl command, a HAR, a log, Python or Markdown, each named by where it was
 * found. Throws as `readText` does if there is none.
 */
export function readTexts(name: string, text: string): Document[] {
  let plain: Document | undefined
  try {
    plain = readPlain(name, text)
  } catch (error) {
    const documents = unwrapDocuments(name, text)
    if (documents.length === 0) throw error
    return documents
  }
  return [plain]
}

function unwrapDocuments(name: string, text: string): Document[] {
  const unwrapped = unwrap(text)
  if (!unwrapped || !('found' in unwrapped)) {
    if (unwrapped && unwrapped.problem !== '')
      throw new Error(`${name}: ${unwrapped.problem}${unwrapped.hint === undefined ? '' : ` (${unwrapped.hint})`}`)
    return []
  }
  const { found, kind, problem } = unwrapped
  const note = problem === undefined ? '' : `; ${problem}`
  if (found.length > documentsMax)
    throw new Error(`${name}: ${kind} with ${found.length} histories: open it with antiphon view, or paste fewer`)
  return found.map(({ value, at }) => ({
    kind: 'history',
    name: `${name} (taken out of ${kind}${at === '' ? '' : `, ${at}`}${note})`,
    value,
  }))
}

const documentsMax = 200

function readPlain(name: string, text: string): Document {
  const bare = text.startsWith('\ufeff') ? text.slice(1) : text
  if (bare.trim() === '') throw new Error(`${name} is empty`)
  if (isTape(bare)) return tapeDocument(name, bare)
  if (isLines(bare)) return { kind: 'history', name, value: readLines(name, bare) }
  const value = parse(name, bare)
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(one => Array.isArray(one) || readBody(one)))
      throw new Error(`${name} is a list of histories: drop or paste one of them`)
    return { kind: 'history', name, value }
  }
  if (!isRecord(value)) throw new Error(`${name} is ${sortOf(value)}, not a history: ${takes}`)
  if (readBody(value)) return { kind: 'history', name, value }
  if (typeof value.role === 'string' || typeof value.type === 'string') return { kind: 'history', name, value: [value] }
  throw new Error(`${name} is an object with none of the fields ${historyFields.join(', ')}: ${takes}`)
}

const takes =
  'this page opens a list of messages, a request body, one message per line, or a tape; antiphon view also opens stores of other programs'

function readLines(name: string, text: string): unknown[] {
  const values = splitLines(text).map(({ text, number }) => parse(name, text, number))
  const isRequests = values.every(value => isRecord(value) && value.role === undefined && readBody(value))
  if (isRequests) throw new Error(`${name}: each of its lines is a whole request: drop or paste one of them`)
  if (!mostAreMessages(values))
    throw new Error(
      `${name}: most of its lines are not messages. If it is a session file of another program, open it with antiphon view`,
    )
  return values
}

function parse(name: string, text: string, line = 1): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const fault = findSyntaxError(text)
    if (!fault) throw new Error(`${name} is nested too deeply`)
    const place = lineAndColumn(text, fault.at)
    const hint = fault.hint === undefined ? '' : ` (${fault.hint})`
    throw new Error(`${name}, line ${place.line + line - 1}, column ${place.column}: ${fault.reason}${hint}`)
  }
}

const sortOf = (value: unknown): string => (value === null ? 'null' : `a ${typeof value}`)
