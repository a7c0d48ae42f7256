import { closeSync, readSync, statSync } from 'node:fs'
import { isRecord } from '../../../core/conversation.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { detectFormat } from '../../../heal/detect.ts'
import { openRegularFile } from '../../files/regular-file.ts'
import { headMessages } from '../../head-messages.ts'
import type { Peek } from '../../peek.ts'
import { snapshotIn } from './snapshot.ts'

/** The kind of a file of the framework. */
export type FrameworkFile = 'snapshot' | 'history' | 'packed'

/** Recognises a file of the framework by its head, and a long snapshot by its end too. */
export function frameworkFileOf(peek: Peek): FrameworkFile | undefined {
  if (peek.kind !== 'file') return undefined
  if (isHistory(peek)) return 'history'
  if (isPacked(peek)) return 'packed'
  return isSnapshot(peek) ? 'snapshot' : undefined
}

/** The first line is a message with contents, or the cut beginning of one. */
function isHistory(peek: Peek): boolean {
  const head = peek.headText()
  const first = peek.firstLine()
  if (!isRecord(first)) return historyStart.test(head)
  const { type, contents } = first
  if (type !== 'message' && type !== 'chat_message') return false
  if (first.role === undefined || !Array.isArray(contents)) return first.role !== undefined && historyStart.test(head)
  // Messages of Microsoft.Extensions.AI also have contents, but another field holds their type.
  return contents.every(one => !isRecord(one) || isContent(one)) && head.includes('\n')
}

/** A content has a type, and a call or a result has the call id under this name. */
const isContent = ({ type, call_id: id }: Record<string, unknown>): boolean =>
  typeof type === 'string' && (!/^function_(call|result)$/.test(type) || typeof id === 'string')

const historyStart =
  /^\uFEFF?\s*\{"type":\s*"(?:chat_)?message"(?=[^\n]{0,200}"(?:contents|role)"\s*:)(?![^\n]*"content"\s*:)/

/** Records in msgpack, each preceded by its length in four bytes. */
function isPacked(peek: Peek): boolean {
  const head = peek.head()
  if (head.length < 32 || head[0] !== 0) return false
  const length = head.readUInt32BE(0)
  const type = head.readUInt8(4)
  const isMap = (type & 0xf0) === 0x80 || type === 0xde || type === 0xdf
  return isMap && length + 4 <= statSync(peek.path).size && head.includes('contents') && head.includes('role')
}

function isSnapshot(peek: Peek): boolean {
  const whole = tryParseJson(peek.headText().replace(/^\uFEFF/, ''))
  if (whole !== undefined) return isOne(whole)
  const found = headMessages(peek)
  const isBegun = found?.form === 'body' && found.key === 'messages' && !found.keys.includes('threadId')
  return isBegun && isThread(found.messages) && /"(?:session_state|interrupt)"\s*:/.test(tailOf(peek.path))
}

function isOne(value: unknown): boolean {
  const snapshot = isRecord(value) && isRecord(value.snapshot) ? value.snapshot : value
  if (!isRecord(snapshot) || !('interrupt' in snapshot || 'session_state' in snapshot)) return false
  const messages = snapshotIn(snapshot)?.messages
  return messages !== undefined && isThread(messages)
}

/** AG-UI messages, in either spelling. Other programs also have a session state next to their messages. */
function isThread(messages: readonly unknown[]): boolean {
  if (!messages.every(hasRole)) return false
  const format = messages.length === 0 ? 'ag-ui' : detectFormat(messages, 'ag-ui')
  return format === 'ag-ui' || format === 'openai-chat'
}

const hasRole = (message: unknown): boolean => isRecord(message) && typeof message.role === 'string'

/** The other keys follow the messages. */
function tailOf(path: string): string {
  const { size } = statSync(path)
  const file = openRegularFile(path)
  try {
    const tail = Buffer.alloc(Math.min(size, tailBytes))
    readSync(file, tail, 0, tail.length, size - tail.length)
    return tail.toString('latin1')
  } finally {
    closeSync(file)
  }
}

const tailBytes = 64 * 1024
