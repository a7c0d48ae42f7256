import { type Conversation, isRecord, type Message, type Part, type Role } from '../../core/conversation.ts'
import { countGroups } from '../shared/blocks.ts'
import { isProviderRun } from '../shared/scan.ts'
import { idText, numeric, text } from '../shared/text.ts'
import { geminiFormat } from './format.ts'
import { fieldValue, hasMoreThanText, isThere, keys } from './keys.ts'

/** A user turn that contains results becomes one message for each result and one for each run of other parts. */
export function decode(history: readonly unknown[], from = 0, to = history.length, key = 0): Conversation {
  const messages: Message[] = []
  for (let origin = from; origin < to; origin++) {
    const raw = history[origin]
    const named = isRecord(raw) ? roles.get(raw.role) : undefined
    const parts = isRecord(raw) ? decodeParts(raw) : undefined
    if (!named || !parts) messages.push({ key: key + messages.length, origin, role: 'other', parts: [] })
    else {
      for (const group of groups(named.role, parts)) {
        const isResult = named.role !== 'assistant' && group[0]?.kind === 'result'
        const role = isResult ? answering(named) : named
        const blank = group.length === 0 ? { blank: 'missing' as const } : {}
        messages.push({ key: key + messages.length, origin, ...role, parts: group, ...blank })
      }
    }
  }
  return { format: geminiFormat, messages, continues: false }
}

/** How many messages `decode` makes of a range. */
export function count(history: readonly unknown[], from: number, to: number): number {
  let count = 0
  for (let index = from; index < to; index++) {
    const raw = history[index]
    const role = isRecord(raw) && Array.isArray(raw.parts) ? roles.get(raw.role)?.role : undefined
    const isDivided = role === 'user' || role === 'system'
    count += isDivided ? countGroups((raw as { parts: unknown[] }).parts, isResult) : 1
  }
  return count
}

type Named = Pick<Message, 'roleName'> & { readonly role: Role }

const unsaid: Named = { role: 'user', roleName: 'tolerated' }

/** A turn without a role is a user turn; results once had a separate role. */
const roles = new Map<unknown, Named>([
  ['user', { role: 'user' }],
  ['model', { role: 'assistant' }],
  ['function', { role: 'user', roleName: 'tolerated' }],
  [undefined, unsaid],
  [null, unsaid],
  ['', unsaid],
  ['assistant', { role: 'assistant', roleName: 'foreign' }],
  ['tool', { role: 'user', roleName: 'foreign' }],
  ['system', { role: 'system' }],
  ['developer', { role: 'system' }],
])

/** The role of a result in a turn: there are no system results. */
const answering = ({ role, ...name }: Named): Named => ({
  ...(role === 'system' ? { roleName: 'foreign' } : name),
  role: 'tool',
})

type Raw = Readonly<Record<string, unknown>>

/** The parts of a turn, also where a single part or a text replaces the list; undefined if they cannot be read. */
function decodeParts(raw: Raw): Part[] | undefined {
  const { parts } = raw
  if (Array.isArray(parts)) return parts.map(decodePart)
  if (isRecord(parts)) return isKnown(parts) ? [decodePart(parts)] : undefined
  if (typeof parts === 'string') return parts === '' ? [] : [{ kind: 'text', text: parts }]
  return isThere(parts) || isThere(raw.content) || !('role' in raw || 'parts' in raw) ? undefined : []
}

const isKnown = (raw: Raw): boolean => typeof raw.text === 'string' || hasMoreThanText(raw)

function groups(role: Role, parts: Part[]): Part[][] {
  if (role === 'assistant' || !parts.some(part => part.kind === 'result')) return [parts]
  const found: Part[][] = []
  let open: Part[] | undefined
  for (const part of parts) {
    if (part.kind === 'result') found.push([part])
    else if (open) open.push(part)
    else found.push([part])
    open = part.kind === 'result' ? undefined : found.at(-1)
  }
  return found
}

/** What a part is read as. */
export const isCall = (raw: unknown): raw is Raw => isRecord(raw) && isRecord(fieldValue(raw, keys.call))
export const isResult = (raw: unknown): boolean =>
  isRecord(raw) && !isRecord(fieldValue(raw, keys.call)) && isRecord(fieldValue(raw, keys.result))

export function decodePart(raw: unknown, slot?: number): Part {
  const place = { raw, ...(slot === undefined ? {} : { slot }) }
  if (typeof raw === 'string' || raw === null) return { kind: 'text', text: text(raw), ...place }
  if (!isRecord(raw)) return { kind: 'other', unreadable: true, ...place }
  const call = fieldValue(raw, keys.call)
  if (isRecord(call)) return { ...decodeCall(call, raw), ...place }
  const result = fieldValue(raw, keys.result)
  if (isRecord(result)) return { ...decodeResult(result), ...place }
  if (isHollow(raw)) return { kind: 'text', text: '', ...place }
  const words = text(raw.text)
  if (words === '') return { kind: 'other', ...place }
  return raw.thought === true
    ? { kind: 'reasoning', text: words, signed: true, ...place }
    : { kind: 'text', text: words, ...place }
}

/** The arguments of a call without any are not there. */
function decodeCall(call: Raw, raw: Raw): Part {
  const id = idText(call.id)
  const signature = text(fieldValue(raw, keys.signature))
  return {
    kind: 'call',
    id,
    name: text(call.name),
    input: call.args ?? {},
    callKind: 'function',
    by: 'client',
    ...numeric(call.id),
    ...(isProviderRun(id) ? { providerRun: true as const } : {}),
    ...(signature === '' ? {} : { signature }),
  }
}

const willContinue = { camel: 'willContinue', snake: 'will_continue' }

function decodeResult(result: Raw): Part {
  const { response } = result
  return {
    kind: 'result',
    id: idText(result.id),
    ...(text(result.name) === '' ? {} : { name: text(result.name) }),
    content: response,
    ...numeric(result.id),
    ...(isError(response) ? { error: true as const } : {}),
    ...(fieldValue(result, willContinue) === true ? { interim: true as const } : {}),
    ...(isThere(response) && !isRecord(response) ? { malformed: true as const } : {}),
    callKind: 'function',
    by: 'client',
  }
}

export const isError = (response: unknown): boolean =>
  isRecord(response) && isThere(response.error) && response.error !== false && response.error !== ''

/** It is empty, without even an unknown key. A signature can be on an empty text, and must not be lost. */
function isHollow(raw: Raw): boolean {
  if (raw.text === '' && !hasMoreThanText(raw)) return true
  return Object.entries(raw).every(([key, value]) => silent.has(key) || !isFilled(value))
}

/** Keys that are not content. */
const silent = new Set(['thought', 'partMetadata', 'part_metadata'])

const isFilled = (value: unknown): boolean =>
  isThere(value) && value !== '' && !(Array.isArray(value) && value.length === 0)
