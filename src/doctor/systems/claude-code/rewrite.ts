import type { Part, ResultPart } from '../../../core/conversation.ts'
import { valueAt } from '../../../core/invariant.ts'
import { elementSpans, memberSpan, type TextSpan } from '../../../core/json/json-spans.ts'

/** The text of a record with another value for a key. Everything else stays as written. */
export function withMember(text: string, key: string, value: string): string {
  const span = memberSpan(text, key)
  if (span) return replaced(text, span, value)
  const at = text.indexOf('{') + 1
  return `${text.slice(0, at)}${JSON.stringify(key)}:${value},${text.slice(at)}`
}

/** The text of a record with other message content. */
export function withContent(text: string, content: string): string {
  const message = memberSpan(text, 'message')
  if (!message) return text
  return replaced(text, message, withMember(text.slice(message.start, message.end), 'content', content))
}

/** The content blocks of a record as written; empty if the content is a string. */
export function blockTexts(text: string): string[] {
  const message = memberSpan(text, 'message')
  const inner = message ? text.slice(message.start, message.end) : ''
  const content = memberSpan(inner, 'content')
  if (!content || inner[content.start] !== '[') return []
  return elementSpans(inner, content.start).map(({ start, end }) => inner.slice(start, end))
}

/** The text of a record with only these parts, perhaps with other ids. */
export function withParts(text: string, parts: readonly Part[]): string {
  const message = memberSpan(text, 'message')
  if (!message) return text
  const inner = text.slice(message.start, message.end)
  const content = memberSpan(inner, 'content')
  if (!content || inner[content.start] !== '[') return text
  const blocks = elementSpans(inner, content.start).map(({ start, end }) => inner.slice(start, end))
  const kept = parts.map(part => withId(valueAt(blocks, part.raw as number), part))
  return replaced(text, message, replaced(inner, content, `[${kept.join(',')}]`))
}

function withId(block: string, part: Part): string {
  if (part.kind !== 'call' && part.kind !== 'result') return block
  const key = part.kind === 'call' ? 'id' : 'tool_use_id'
  const { [key]: id } = JSON.parse(block) as Record<string, unknown>
  return id === part.id ? block : withMember(block, key, JSON.stringify(part.id))
}

const replaced = (text: string, { start, end }: TextSpan, value: string): string =>
  text.slice(0, start) + value + text.slice(end)

/** A new record for a placeholder result, with the envelope of its call. */
export function answerTo(call: Record<string, unknown>, result: ResultPart, link: Link): string {
  const words = String(result.content)
  const block = { type: 'tool_result', content: words, is_error: true, tool_use_id: result.id }
  return JSON.stringify({
    ...envelope(call, link, { role: 'user', content: [block] }),
    toolUseResult: `Error: ${words}`,
    sourceToolAssistantUUID: call.uuid,
  })
}

/** A new record with a note about what was lost. */
export const lossNoteRecord = (kind: keyof typeof lossNotes, record: Record<string, unknown>, link: Link): string =>
  JSON.stringify({ ...envelope(record, link, { role: 'user', content: lossNotes[kind] }), isMeta: true })

const lossNotes = {
  opening: '[The beginning of this conversation was lost.]',
  closing: '[The content that was here is lost.]',
}

export interface Link {
  readonly parentUuid: string | null
  readonly uuid: string
  readonly timestamp: string
}

function envelope(record: Record<string, unknown>, link: Link, message: object): Record<string, unknown> {
  const own: Record<string, unknown> = { ...link, type: 'user', message }
  const made: Record<string, unknown> = {}
  for (const key of Object.keys(record)) {
    if (Object.hasOwn(own, key)) made[key] = own[key]
    else if (shared.has(key)) made[key] = record[key]
  }
  return { ...made, ...own }
}

/** The fields of a record that describe its session. */
const shared = new Set([
  'isSidechain',
  'agentId',
  'userType',
  'entrypoint',
  'cwd',
  'sessionId',
  'version',
  'gitBranch',
  'slug',
  'teamName',
])
