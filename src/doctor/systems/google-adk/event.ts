import type { DatabaseSync } from 'node:sqlite'
import { isRecord, type Part } from '../../../core/conversation.ts'
import { type RecordContent, type RecordFields, shortContent } from '../../record-format.ts'

/** A row of `events`, without long contents. */
export interface EventRow {
  readonly rowid: number
  readonly time: number | string
  readonly contents: readonly RecordContent[]
  /** It has effects besides its content, so it stays without it. */
  readonly hasEffects: boolean
  readonly branch: string
  readonly length: number
}

/** The ids of calls that may stay open, and whose results may come more than once. */
export const longRunningIds = ({ long_running_tool_ids: ids }: RecordFields): readonly unknown[] =>
  Array.isArray(ids) ? ids : []

/** The contents of an event that is sent. `raw` of a part is its index. */
export function eventContents(event: RecordFields, isOpen: (id: unknown) => boolean): readonly RecordContent[] {
  const { content } = event
  if (!isRecord(content) || !Array.isArray(content.parts)) return []
  const parts = content.parts.map((part: unknown, raw) => partOf(isRecord(part) ? part : {}, raw, isOpen))
  if (content.role === 'model') return parts.length === 0 ? [] : [{ role: 'assistant', parts }]
  const others = parts.filter(({ kind }) => kind !== 'result')
  return [
    ...parts.flatMap((part): RecordContent[] => (part.kind === 'result' ? [{ role: 'tool', parts: [part] }] : [])),
    ...(others.length > 0 ? [{ role: 'user' as const, parts: others }] : []),
  ]
}

function partOf(part: RecordFields, raw: number, isOpen: (id: unknown) => boolean): Part {
  const { function_call: call, function_response: answer, text, thought } = part
  const base = { callKind: 'function', by: 'client' as const, raw }
  if (isRecord(call) && !isOpen(call.id))
    return { kind: 'call', id: idOf(call.id), name: String(call.name), input: {}, ...base }
  if (isRecord(answer) && !isOpen(answer.id)) {
    const { response } = answer
    const error = isRecord(response) && typeof response.error === 'string' ? response.error : undefined
    const content = shortContent(error ?? JSON.stringify(response) ?? '')
    return {
      kind: 'result',
      id: idOf(answer.id),
      name: String(answer.name),
      content,
      ...base,
      ...(error !== undefined && { error: true }),
    }
  }
  return typeof text === 'string' && thought !== true
    ? { kind: 'text', text: shortContent(text), raw }
    : { kind: 'other', raw }
}

const idOf = (id: unknown): string => (typeof id === 'string' ? id : '')

/** Whether an event does something besides what it says, such as changing the state. */
export const hasEffects = ({ actions }: RecordFields): boolean =>
  isRecord(actions) &&
  Object.values(actions).some(value =>
    isRecord(value) ? Object.keys(value).length > 0 : value !== null && value !== undefined,
  )

/** An event as it is stored. */
export const eventText = (database: DatabaseSync, rowid: number): string =>
  String(database.prepare('select cast(event_data as text) as text from events where rowid = ?').get(rowid)?.text)
