import { isRecord, type Part, type ResultPart } from '../../../core/conversation.ts'
import type { ArrangedRecord } from '../../arrange.ts'
import { uuidFrom } from '../../linked/new-ids.ts'
import type { RecordFields } from '../../record-format.ts'
import { listedCalls, partsIn, resultParts } from './message.ts'

/** A message of the session, and its parts that are sent. */
export interface SentMessage {
  readonly message: RecordFields
  readonly parts: readonly Part[]
}

/**
 * The messages of a repaired session. Calls are parts of the content, and the results of a step are one user message
 * after it, as the program writes them when it resumes a session: `toolCalls` would be sent a second time.
 */
export function healedMessages(
  lines: Iterable<ArrangedRecord>,
  sent: (record: number) => SentMessage,
): readonly RecordFields[] {
  const list: RecordFields[] = []
  const ids = new Set<unknown>()
  const copies = new Map<unknown, number>()
  /** The last message that is sent, whether it is new, and its parts if it holds results only. */
  let last: { readonly at: number; readonly isNew: boolean; readonly results?: unknown[] } = { at: -1, isNew: false }
  const add = (message: RecordFields, isNew: boolean): void => {
    const before = list[last.at]
    const results = resultsIn(message)
    if (before && last.results && results) {
      // The results of a step are one message: one of the file rather than a new one.
      for (const one of results) last.results.push(one)
      if (last.isNew && !isNew) list[last.at] = { ...message, content: last.results }
      else if (before.content !== last.results) list[last.at] = { ...before, content: last.results }
      last = { ...last, isNew: last.isNew && isNew }
      return
    }
    let { id } = message
    for (let count = copies.get(message.id) ?? 0; ids.has(id); count++) {
      id = uuidFrom(String(message.id), String(count))
      copies.set(message.id, count + 1)
    }
    ids.add(id)
    list.push(id === message.id ? message : { ...message, id })
    last = { at: list.length - 1, isNew, ...(results && { results }) }
  }
  for (const line of lines) {
    const { message, parts } = sent(line.record)
    if (line.kind === 'made') add(response(message, [answerTo(line.call, line.result)], line.call.id), true)
    else if (line.kind === 'kept' && listedCalls(message).length === 0) {
      if (parts.length > 0) add(message, false)
      else list.push(message)
    } else for (const one of written(message, line.kind === 'kept' ? parts : line.parts)) add(one.message, one.isNew)
  }
  return list
}

/** The parts of a message that holds results only. */
const resultsIn = ({ type, content }: RecordFields): unknown[] | undefined =>
  type === 'user' && Array.isArray(content) && content.length > 0 && content.every(isFunctionResponse)
    ? [...content]
    : undefined

const isFunctionResponse = (part: unknown): boolean => isRecord(part) && isRecord(part.functionResponse)

/** A message with these parts, followed by a new message with the results that were in it. */
function written(message: RecordFields, parts: readonly Part[]): { message: RecordFields; isNew: boolean }[] {
  const { toolCalls: _, ...rest } = message
  const own = partsIn(message.content)
  const listed = listedCalls(message)
  const keptParts = parts.filter(({ kind, raw }) => kind !== 'result' || (raw as number) >= 0)
  const results = parts.filter(({ kind, raw }) => kind === 'result' && (raw as number) < 0)
  const content = keptParts.map(part => {
    const raw = part.raw as number
    return renamed(raw < 0 ? callPart(listed[-1 - raw]) : own[raw], part)
  })
  const isText = typeof message.content === 'string' && keptParts.length === 1 && keptParts[0]?.kind === 'text'
  const first = new Map([...results].reverse().map(part => [part.raw, part]))
  const held = [...first.values()].reverse().flatMap(part => {
    const all = resultParts(listed[-1 - (part.raw as number)] ?? {})
    return all.map(one => (isFunctionResponse(one) ? renamed(one, part) : one))
  })
  return [
    ...(keptParts.length > 0
      ? [{ message: { ...rest, content: isText ? message.content : content }, isNew: false }]
      : []),
    ...(held.length > 0 ? [{ message: response(message, held, 'response'), isNew: true }] : []),
  ]
}

const callPart = ({ id, name, args }: RecordFields = {}): RecordFields => ({ functionCall: { id, name, args } })

/** A part with another id, if it has one. */
function renamed(own: unknown, part: Part): unknown {
  if (!isRecord(own) || (part.kind !== 'call' && part.kind !== 'result')) return own
  const key = part.kind === 'call' ? 'functionCall' : 'functionResponse'
  const inner = own[key]
  if (!isRecord(inner) || part.id === '' || inner.id === part.id) return own
  return { ...own, [key]: { ...inner, id: part.id } }
}

const answerTo = ({ id, name }: { readonly id: string; readonly name: string }, { content }: ResultPart) => ({
  functionResponse: { ...(id !== '' && { id }), name, response: { error: String(content) } },
})

/** A user message with results, at the time of the message that asked for them. */
const response = ({ id, timestamp }: RecordFields, content: readonly unknown[], seed: string): RecordFields => ({
  id: seed === 'response' ? `${String(id)}_response` : uuidFrom(String(id), seed),
  ...(timestamp !== undefined && { timestamp }),
  type: 'user',
  content,
})
