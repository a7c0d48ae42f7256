import {
  type Conversation,
  type Fields,
  isRecord,
  type Message,
  type Part,
  type Role,
} from '../../core/conversation.ts'
import { jsonText, parsedObject } from '../../core/json/json-text.ts'
import { isProviderRun } from '../shared/scan.ts'
import { idText, numeric, text } from '../shared/text.ts'
import { pydanticAiFormat } from './format.ts'
import { halfOf, loneProviderParts } from './provider-calls.ts'

/** A request becomes one message for each system prompt, each result and each run of other parts. */
export function decode(history: readonly unknown[], from = 0, to = history.length, key = 0): Conversation {
  const messages: Message[] = []
  const add = (origin: number, role: Role, parts: readonly Part[]): void => {
    const blank = parts.length === 0 && role !== 'other' ? { blank: 'missing' as const } : {}
    messages.push({ key: key + messages.length, origin, role, parts, ...blank })
  }
  const lone = loneProviderParts(history, from, to, parts => parts.some(part => requestKind(part) === 'user'))
  const readPart = (raw: unknown, slot: number): Part =>
    lone.has(raw) ? readProviderPart(raw as Fields, slot) : readResponsePart(raw, slot)
  for (let origin = from; origin < to; origin++) {
    const raw = history[origin]
    const parts = isRecord(raw) && Array.isArray(raw.parts) ? raw.parts : undefined
    if (!isRecord(raw) || !parts || (raw.kind !== 'request' && raw.kind !== 'response')) add(origin, 'other', [])
    else if (raw.kind === 'response') add(origin, 'assistant', parts.map(readPart))
    else for (const { role, parts: group } of groupsOf(parts)) add(origin, role, group)
  }
  return { format: pydanticAiFormat, messages, continues: false }
}

/** How many messages `decode` makes of a range. */
export function count(history: readonly unknown[], from: number, to: number): number {
  let count = 0
  for (let index = from; index < to; index++) {
    const raw = history[index]
    count += isRecord(raw) && raw.kind === 'request' && Array.isArray(raw.parts) ? countGroups(raw.parts) : 1
  }
  return count
}

/** What a part of a request is read as. */
export type RequestKind = 'system' | 'result' | 'user'

export function requestKind(part: unknown): RequestKind {
  if (!isRecord(part)) return 'user'
  if (part.part_kind === 'system-prompt') return 'system'
  return part.part_kind === 'tool-return' || isFailedCall(part) ? 'result' : 'user'
}

/** A retry prompt that names a tool answers a call; any other is a message to the model. */
const isFailedCall = ({ part_kind, tool_name }: Fields): boolean =>
  part_kind === 'retry-prompt' && typeof tool_name === 'string' && tool_name !== ''

function countGroups(parts: readonly unknown[]): number {
  let count = 0
  let last: RequestKind | undefined
  for (const part of parts) {
    const kind = requestKind(part)
    if (kind !== 'user' || last !== 'user') count++
    last = kind
  }
  return Math.max(count, 1)
}

interface Group {
  readonly role: Role
  readonly parts: Part[]
}

function groupsOf(raws: readonly unknown[]): Group[] {
  const groups: Group[] = []
  let userParts: Part[] | undefined
  for (const [slot, raw] of raws.entries()) {
    const kind = requestKind(raw)
    if (kind === 'user') {
      if (!userParts) {
        userParts = []
        groups.push({ role: 'user', parts: userParts })
      }
      for (const part of readPrompt(raw, slot)) userParts.push(part)
      continue
    }
    userParts = undefined
    if (kind === 'system') groups.push({ role: 'system', parts: [readAsText(raw as Fields, slot)] })
    else groups.push({ role: 'tool', parts: [readResult(raw as Fields, slot)] })
  }
  return groups.length > 0 ? groups : [{ role: 'user', parts: [] }]
}

const readText = (raw: Fields, slot: number): Part =>
  typeof raw.content === 'string' ? { kind: 'text', text: raw.content, raw, slot } : { kind: 'other', raw, slot }

/** A prompt of the user: a text, or a list of texts and files, each a part with the prompt's place. */
function readPrompt(raw: unknown, slot: number): Part[] {
  if (!isRecord(raw)) return [{ kind: 'other', unreadable: true, raw, slot }]
  if (raw.part_kind === 'retry-prompt') return [readAsText(raw, slot)]
  if (raw.part_kind !== 'user-prompt' || !Array.isArray(raw.content)) return [readText(raw, slot)]
  if (raw.content.length === 0) return [{ kind: 'text', text: '', raw, slot }]
  return raw.content.map((item): Part => {
    const words = textIn(item)
    return words === undefined ? { kind: 'other', raw: item, slot } : { kind: 'text', text: words, raw: item, slot }
  })
}

/** The text of an item of a prompt, if it is one. */
export function textIn(item: unknown): string | undefined {
  if (typeof item === 'string') return item
  return isRecord(item) && item.kind === 'text-content' && typeof item.content === 'string' ? item.content : undefined
}

const readAsText = (raw: Fields, slot: number): Part => ({ kind: 'text', text: contentText(raw.content), raw, slot })

/** The content of a prompt as text. A value, such as the errors of a validation, is written as JSON. */
export const contentText = (content: unknown): string =>
  typeof content === 'string' ? content : jsonText(content ?? '')

function readResult(raw: Fields, slot: number): Part {
  const name = text(raw.tool_name)
  const hasFailed = raw.part_kind === 'retry-prompt' || raw.outcome === 'failed' || raw.outcome === 'denied'
  return {
    kind: 'result',
    id: idText(raw.tool_call_id),
    ...(name === '' ? {} : { name }),
    content: raw.content,
    ...numeric(raw.tool_call_id),
    ...(hasFailed ? { error: true as const } : {}),
    ...(raw.outcome === 'denied' ? { denied: true as const } : {}),
    callKind: 'function',
    by: 'client',
    raw,
    slot,
  }
}

/** The parts of a response. Calls that the provider ran itself are left as they are, if they have a result. */
export function readResponsePart(raw: unknown, slot?: number): Part {
  const place = { raw, ...(slot === undefined ? {} : { slot }) }
  if (!isRecord(raw)) return { kind: 'other', unreadable: true, ...place }
  if (raw.part_kind === 'text' && typeof raw.content === 'string') return { kind: 'text', text: raw.content, ...place }
  if (raw.part_kind === 'thinking')
    return { kind: 'reasoning', text: text(raw.content), signed: typeof raw.signature === 'string', ...place }
  if (raw.part_kind !== 'tool-call') return { kind: 'other', ...place }
  const id = idText(raw.tool_call_id)
  return {
    kind: 'call',
    id,
    name: text(raw.tool_name),
    input: inputOf(raw.args),
    callKind: 'function',
    by: 'client',
    ...numeric(raw.tool_call_id),
    ...(isProviderRun(id) ? { providerRun: true as const } : {}),
    ...place,
  }
}

/** A call that the provider ran, or a result, without its other half. */
function readProviderPart(raw: Fields, slot: number): Part {
  const shared = { id: idText(raw.tool_call_id), name: text(raw.tool_name), callKind: 'server', raw, slot }
  return halfOf(raw) === 'call'
    ? { kind: 'call', ...shared, input: inputOf(raw.args), by: 'provider' }
    : { kind: 'result', ...shared, content: raw.content, by: 'provider' }
}

/** The arguments are JSON text or an object; an empty text is none. Text that is not an object stays what it is. */
export const inputOf = (args: unknown): unknown =>
  args === undefined || args === null || args === '' ? {} : parsedObject(args)
