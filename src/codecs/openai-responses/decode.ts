import {
  type Blank,
  type Conversation,
  isRecord,
  type Message,
  type Part,
  type ResultPart,
} from '../../core/conversation.ts'
import { isProviderRun } from '../shared/scan.ts'
import { idText, numeric, text } from '../shared/text.ts'
import { byCallType, byResultType, type CallKind, keptItems, serverItems } from './call-kinds.ts'
import { openaiResponsesFormat } from './format.ts'

/** Adjacent assistant items are one message, each item a part of it. */
export function decode(history: readonly unknown[], from = 0, to = history.length, key = 0): Conversation {
  const messages: Message[] = []
  let group: Part[] | undefined
  let continues = false
  for (let index = from; index < to; index++) {
    const item = history[index]
    const part = isRecord(item) ? assistantPart(item, index) : undefined
    if (part) {
      if (!group) {
        group = []
        messages.push({ key: key + messages.length, origin: index, role: 'assistant', parts: group })
      }
      group.push(part)
      continue
    }
    group = undefined
    messages.push({ key: key + messages.length, origin: index, ...decodeItem(item, index) })
    // A compaction contains no open call, since the provider never compacts one, so a result after it needs its own call.
    continues ||= isReference(item)
  }
  return { format: openaiResponsesFormat, messages, continues }
}

/** How many messages `decode` makes of a range. */
export function count(history: readonly unknown[], from: number, to: number): number {
  let count = 0
  let isGrouped = false
  for (let index = from; index < to; index++) {
    const item = history[index]
    const isOurs = isRecord(item) && isAssistants(item)
    if (!isOurs || !isGrouped) count++
    isGrouped = isOurs
  }
  return count
}

type Raw = Record<string, unknown>

/** An item that has only an id: the provider stores it, if the id has the form of its ids. */
const isReference = (item: unknown): boolean =>
  isRecord(item) &&
  typeof item.id === 'string' &&
  /^[a-zA-Z0-9_-]*[a-zA-Z0-9-]$/.test(item.id) &&
  (item.type === 'item_reference' ||
    ((item.type ?? null) === null && Object.keys(item).every(key => key === 'id' || key === 'type')))

export const isMessage = (item: Raw): boolean =>
  item.type === 'message' || ((item.type === undefined || item.type === null) && typeof item.role === 'string')

/** Whether an item is read as a part of an assistant message. */
const isAssistants = (item: Raw): boolean =>
  isMessage(item)
    ? item.role === 'assistant'
    : item.type === 'reasoning' || byCallType.has(item.type) || serverItems.has(item.type) || isServerSearch(item)

function assistantPart(item: Raw, slot: number): Part | undefined {
  if (!isAssistants(item)) return undefined
  const ids = typeof item.id === 'string' ? { itemId: item.id } : {}
  if (isMessage(item)) return readAssistantMessage(item, slot, ids)
  if (item.type === 'reasoning') {
    return {
      kind: 'reasoning',
      text: words(item.content),
      signed: typeof item.encrypted_content === 'string',
      raw: item,
      slot,
      ...ids,
    }
  }
  const kind = byCallType.get(item.type)
  if (kind && !isServerSearch(item)) return call(item, kind, slot, ids)
  return { kind: 'other', raw: item, slot, ...ids }
}

/** Assistant content; a message without text that contains something else is not empty. */
function readAssistantMessage(item: Raw, slot: number, ids: { itemId?: string }): Part {
  const text = words(item.content)
  const holdsOther =
    text === '' &&
    Array.isArray(item.content) &&
    item.content.some(block => !isRecord(block) || typeof block.text !== 'string')
  return holdsOther ? { kind: 'other', raw: item, slot, ...ids } : { kind: 'text', text, raw: item, slot, ...ids }
}

/** A search for tools that the provider ran itself has no call id. */
export const isServerSearch = (item: Readonly<Raw>): boolean =>
  (item.type === 'tool_search_call' || item.type === 'tool_search_output') &&
  (item.execution === 'server' || (item.execution !== 'client' && typeof item.call_id !== 'string'))

function call(item: Raw, kind: CallKind, slot: number, ids: { itemId?: string }): Part {
  const id = idText(item.call_id)
  const name = kind.named ? text(item.name) : kind.callKind
  return {
    kind: 'call',
    id,
    name,
    input: item[kind.input],
    callKind: kind.callKind,
    by: 'client',
    ...numeric(item.call_id),
    ...(isProviderRun(id) ? { providerRun: true as const } : {}),
    ...(item.async === true ? { async: true as const } : {}),
    raw: item,
    slot,
    ...ids,
  }
}

function decodeItem(item: unknown, slot: number): Omit<Message, 'key' | 'origin'> {
  if (!isRecord(item)) return { role: 'other', parts: [] }
  const ids = typeof item.id === 'string' ? { itemId: item.id } : {}
  const kind = byResultType.get(item.type)
  if (kind) {
    const part = result(item, item.call_id, item[kind.output], kind.callKind, slot, ids)
    return { role: 'tool', parts: [isMisshapen(part) ? { ...part, malformed: true } : part] }
  }
  if (item.role === 'tool' && 'tool_call_id' in item) {
    return { role: 'tool', parts: [result(item, item.tool_call_id, item.content, 'chat', slot, {})] }
  }
  if (isMessage(item)) {
    if (item.role === 'user') return { role: 'user', ...ids, ...content(item) }
    if (item.role === 'system') return { role: 'system', ...ids, ...content(item) }
    if (item.role === 'developer') return { role: 'system', developer: true, ...ids, ...content(item) }
  }
  if (isReference(item)) return { role: 'other', parts: [{ kind: 'other', raw: item, reference: true, ...ids }] }
  return { role: 'other', parts: keptItems.has(item.type) ? [{ kind: 'other', raw: item, ...ids }] : [] }
}

/** A screenshot is an object. */
export const isMisshapen = ({ callKind, content }: ResultPart): boolean =>
  callKind === 'computer' && typeof content === 'string'

function result(
  raw: Raw,
  id: unknown,
  content: unknown,
  callKind: string,
  slot: number,
  ids: { itemId?: string },
): ResultPart {
  const failed = raw.status === 'failed' ? { error: true as const } : {}
  return {
    kind: 'result',
    id: idText(id),
    ...numeric(id),
    content,
    ...failed,
    callKind,
    by: 'client',
    raw,
    slot,
    ...ids,
  }
}

function content(item: Raw): { parts: Part[]; blank?: Blank } {
  const { content } = item
  if (typeof content === 'string')
    return content === '' ? { parts: [], blank: 'empty' } : { parts: [{ kind: 'text', text: content }] }
  if (!Array.isArray(content)) return { parts: [], blank: content === undefined ? 'missing' : 'null' }
  if (content.length === 0) return { parts: [], blank: 'missing' }
  return {
    parts: content.map(
      (block: unknown, slot): Part =>
        isRecord(block) && typeof block.text === 'string'
          ? { kind: 'text', text: block.text, raw: block, slot }
          : { kind: 'other', raw: block, slot },
    ),
  }
}

/** The text of an item: a string, or the text of its blocks, refusals included. */
function words(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  let text = ''
  for (const block of content) {
    if (!isRecord(block)) continue
    text += typeof block.text === 'string' ? block.text : typeof block.refusal === 'string' ? block.refusal : ''
  }
  return text
}
