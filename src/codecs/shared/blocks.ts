import {
  asRecord,
  type Blank,
  type Conversation,
  type Format,
  isRecord,
  type Message,
  type Part,
  type Role,
} from '../../core/conversation.ts'
import { isUntouched, type MessageGroup, sharedMessages } from './message-groups.ts'
import { fieldsAround, unlessEqual } from './overlay.ts'

/** Formats whose content is a list of blocks, with results in user messages, next to user text. */
export const blockFormat: Format = {
  root: 'messages',
  system: 'none',
  input: 'value',
  contentKey: false,
  shares: true,
  ordered: true,
  reasoning: 'blocks',
  marksErrors: true,
  locate(message: Message, part?: Part): string {
    if (message.origin === undefined) return 'messages'
    const at = part ?? message.parts[0]
    return `messages[${message.origin}]${at?.slot === undefined || (!part && message.role !== 'tool') ? '' : `.content[${at.slot}]`}`
  },
}

type Decode = (history: readonly unknown[], from?: number, to?: number, key?: number) => Conversation

/**
 * A user message that contains results becomes one message for each result and one for each run of other blocks. Results of
 * provider-run calls are not user input: they keep their place.
 */
export function blockDecoder(format: Format, read: (content: readonly unknown[]) => Part[]): Decode {
  return (history, from = 0, to = history.length, key = 0) => {
    const messages: Message[] = []
    for (let origin = from; origin < to; origin++) {
      const raw = history[origin]
      const role = roleOf(raw)
      const marks = {
        ...(format.listsContent && role !== 'other' && typeof asRecord(raw).content === 'string'
          ? { bare: true as const }
          : {}),
        ...(role === 'system' && isDirective(asRecord(raw)) ? { directive: true as const } : {}),
      }
      const add = (as: Role, parts: Part[], blank?: Blank): void => {
        // Where content must be a list, an empty text becomes an empty list.
        const known = blank === undefined ? {} : { blank: 'bare' in marks ? ('missing' as const) : blank }
        messages.push({ key: key + messages.length, origin, role: as, parts, ...known, ...marks })
      }
      if (role === 'other') add(role, [])
      else decodeContent(add, role, (raw as { content?: unknown }).content, read)
    }
    return { format, messages, continues: false }
  }
}

function roleOf(raw: unknown): Role {
  if (!isRecord(raw)) return 'other'
  const { role } = raw
  return role === 'user' || role === 'assistant' || role === 'system' ? role : role === 'developer' ? 'system' : 'other'
}

/** Without content, but a setting. */
const isDirective = ({ content, output_config }: Record<string, unknown>): boolean =>
  Object.keys(asRecord(output_config)).length > 0 &&
  (Array.isArray(content) ? content.length === 0 : content === undefined || content === null || content === '')

type Add = (role: Role, parts: Part[], blank?: Blank) => void

function decodeContent(add: Add, role: Role, content: unknown, read: (content: readonly unknown[]) => Part[]): void {
  if (typeof content === 'string' && content !== '') add(role, [{ kind: 'text', text: content }])
  else if (Array.isArray(content)) decodeParts(add, role, read(content))
  else if (content === undefined || content === null) add(role, [], content === null ? 'null' : 'missing')
  else if (content === '') add(role, [], 'empty')
  else add('other', [])
}

function decodeParts(add: Add, role: Role, content: readonly Part[]): void {
  let parts: Part[] = []
  for (const part of content) {
    if (role !== 'user' || part.kind !== 'result' || part.by === 'provider') parts.push(part)
    else {
      if (parts.length > 0) add(role, parts)
      add('tool', [part])
      parts = []
    }
  }
  if (parts.length > 0) add(role, parts)
  else if (content.length === 0) add(role, [], 'missing')
}

type Count = (history: readonly unknown[], from: number, to: number) => number

/** How many messages a decoder makes, without making them. */
export function blockCounter(isResult: (block: unknown) => boolean, isMark?: (block: unknown) => boolean): Count {
  return (history, from, to) => {
    let count = 0
    for (let index = from; index < to; index++) {
      const raw = history[index] as { role?: unknown; content?: unknown } | null | undefined
      count += raw?.role === 'user' && Array.isArray(raw.content) ? countGroups(raw.content, isResult, isMark) : 1
    }
    return count
  }
}

/** Each result is its own group, and so is each run of other blocks; an empty list is one group. */
export function countGroups(
  content: readonly unknown[],
  isResult: (block: unknown) => boolean,
  isMark?: (block: unknown) => boolean,
): number {
  let count = 0
  let isInRun = false
  for (let index = 0; index < content.length; index++) {
    const block = content[index]
    if (isResult(block)) {
      count++
      isInRun = false
    } else if (!isInRun && !isMark?.(block)) {
      count++
      isInRun = true
    }
  }
  return Math.max(count, 1)
}

type Encode = (messages: readonly Message[], decoded: Conversation, history: readonly unknown[]) => unknown[]

/**
 * Writes neighbours that share a message of the format together, unchanged if nothing in it was changed. `write` makes
 * content from parts; it also gets the previous content.
 */
export function blockEncoder(write: (parts: readonly Part[], before: unknown) => unknown): Encode {
  return (messages, decoded, history) => {
    return sharedMessages(messages).map(group => {
      const before = history[group[0].origin ?? -1]
      return isUntouched(group, decoded) ? before : unlessEqual(before, encodeGroup(group, history, write))
    })
  }
}

function encodeGroup(
  group: Readonly<MessageGroup>,
  history: readonly unknown[],
  write: (parts: readonly Part[], before: unknown) => unknown,
): unknown {
  const role = group.some(message => message.role === 'system') ? 'system' : group[0].role
  if (role === 'other') return history[group[0].origin as number]
  const raw = fieldsAround(group, history)
  const parts = group.length === 1 ? group[0].parts : group.flatMap(message => message.parts)
  return { ...raw, role: role === 'tool' ? 'user' : role, content: write(parts, raw.content) }
}
