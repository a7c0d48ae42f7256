import { asRecord, type CallPart, type Fields, isRecord, type OtherPart } from '../../core/conversation.ts'
import { present } from '../../core/invariant.ts'
import { equal } from '../../core/json/equal.ts'
import { parsedObject } from '../../core/json/json-text.ts'
import { overlay } from '../shared/overlay.ts'
import { isProviderRun } from '../shared/scan.ts'
import { idText, isId, numeric, text } from '../shared/text.ts'
import { hasBlockContent } from './form.ts'

/**
 * A call can be in several lists of its message at once. The `raw` of a call has its entry in each of them, under the name of
 * the list; the first one counts, the others are copies.
 */
const lists = ['tool_calls', 'invalid_tool_calls', 'additional_kwargs', 'content'] as const

/** The path of the list that a call was read from. */
export function listOf({ raw }: CallPart): string {
  const list = lists.find(name => isRecord(raw) && name in raw) ?? 'tool_calls'
  return list === 'additional_kwargs' ? 'additional_kwargs.tool_calls' : list
}

/** The path of a call that is the only one of its message and in no list. */
export const functionCallPath = 'additional_kwargs.function_call'

/** Content blocks that represent a call, by the provider that requires them. */
const blocks: ReadonlyMap<string, { readonly id: string; readonly input: string }> = new Map([
  ['tool_use', { id: 'id', input: 'input' }],
  ['tool_call', { id: 'id', input: 'args' }],
  ['function_call', { id: 'call_id', input: 'arguments' }],
])

/** The id of the call that a content block represents; undefined if it represents none. */
export function blockId(block: unknown): unknown {
  const keys = isRecord(block) && typeof block.type === 'string' ? blocks.get(block.type) : undefined
  return keys && ((block as Fields)[keys.id] ?? '')
}

/** Whether a block of a call has arguments in a form that LangChain sends; the text of `tool_use` is parsed first. */
export function isWholeBlock(block: Fields): boolean {
  const type = text(block.type)
  const input = block[callKeys(type).input]
  return type === 'tool_call' ? isRecord(input) : typeof input === 'string' || isRecord(input)
}

const callKeys = (type: string) => present(blocks.get(type), 'a block that represents a call has a type that does')

/**
 * The calls of a message, except those that are in its content only. The provider's own list counts if it is the only one.
 */
export function listedCalls(fields: Fields): (CallPart | OtherPart)[] {
  const calls: (CallPart | OtherPart)[] = []
  for (const list of ['tool_calls', 'invalid_tool_calls'] as const) {
    const entries = fields[list]
    if (!Array.isArray(entries)) continue
    for (let slot = 0; slot < entries.length; slot++) calls.push(readEntry(entries[slot], list, slot))
  }
  const { tool_calls: raw } = asRecord(fields.additional_kwargs)
  if (calls.length > 0 || !Array.isArray(raw)) return calls
  // A message constructed without a list of calls reads them from here, unless one is null or undefined.
  const isRead = !Array.isArray(fields.tool_calls) && raw.every(isRecord)
  const isSent = !isRead && !hasBlockContent(fields) && raw.every(isReadable)
  return raw.map((entry, slot) => ({
    ...readEntry(entry, 'additional_kwargs', slot),
    ...(isRead && isReadable(entry) ? {} : { unlisted: isSent ? ['extras'] : [] }),
  }))
}

/** A call of the provider's own list, next to others that LangChain sends instead; undefined if it has no id. */
export function strayCall(entry: unknown, slot: number): CallPart | undefined {
  const part = readEntry(entry, 'additional_kwargs', slot)
  return part.kind === 'call' && part.id !== '' ? { ...part, unlisted: ['unsent'] } : undefined
}

/** Whether an entry of a provider's own list has the form of one: its arguments are the text of a value. */
function isReadable(entry: unknown): boolean {
  const { function: called } = asRecord(entry)
  return isRecord(called) && (typeof called.arguments !== 'object' || called.arguments === null)
}

/** The one call that a message could make before there were lists: it has no id, and its result has its name alone. */
export function readFunctionCall({ additional_kwargs: extras }: Fields): CallPart | undefined {
  const { function_call: raw } = asRecord(extras)
  if (!isRecord(raw)) return undefined
  const input = parsedObject(raw.arguments)
  return {
    kind: 'call',
    id: '',
    name: text(raw.name),
    input,
    callKind: 'legacy',
    by: 'client',
    raw: { function_call: raw },
  }
}

export const isFunctionCall = ({ raw }: CallPart): boolean => 'function_call' in asRecord(raw)

/** The value for `function_call`: none, if calls are in a list. */
export function writeFunctionCall(calls: readonly (CallPart | OtherPart)[]): unknown {
  const [part] = calls
  if (!isAlone(calls) || part?.kind !== 'call') return undefined
  const { name, input } = part
  const { function_call: before } = asRecord(part.raw)
  if (!isRecord(before)) return { name, arguments: jsonOf(input) }
  return overlay(
    before,
    text(before.name) === name ? {} : { name },
    equal(parsedObject(before.arguments), input) ? {} : { arguments: jsonOf(input) },
  )
}

const isAlone = ([first, second]: readonly (CallPart | OtherPart)[]): boolean =>
  first?.kind === 'call' && first.callKind === 'legacy' && !second

function readEntry(raw: unknown, list: (typeof lists)[number], slot: number): CallPart | OtherPart {
  if (!isRecord(raw)) {
    const field = list === 'additional_kwargs' ? 'additional_kwargs.tool_calls' : list
    return { kind: 'other', unreadable: true, field, raw, slot }
  }
  const name = text(isRecord(raw.function) ? raw.function.name : raw.name)
  const input = inputOf(raw)
  const isInvalid = list === 'invalid_tool_calls' || (isRecord(raw.function) && !isRecord(input))
  return call(raw.id, name, input, isInvalid, { [list]: raw }, slot)
}

/** A call that is in the content only. */
export function readBlock(block: Fields, slot: number, hasBlockContent: boolean): CallPart {
  const type = text(block.type)
  const keys = callKeys(type)
  const input = parsedObject(block[keys.input])
  const part = call(block[keys.id], text(block.name), input, typeof input === 'string', { content: block }, slot)
  // A message whose content is LangChain's own blocks takes its calls from them.
  return hasBlockContent && type === 'tool_call' ? part : { ...part, unlisted: [type] }
}

function call(id: unknown, name: string, input: unknown, isInvalid: boolean, raw: Fields, slot: number): CallPart {
  return {
    kind: 'call',
    id: idText(id),
    name,
    input,
    callKind: isInvalid ? 'invalid' : 'function',
    by: 'client',
    ...numeric(id),
    ...(isProviderRun(idText(id)) ? { providerRun: true as const } : {}),
    raw,
    slot,
  }
}

/** The arguments of an entry: a value, or, where a provider's own entry was taken over, the value of its text. */
const inputOf = (entry: Fields): unknown =>
  isRecord(entry.function) ? parsedObject(entry.function.arguments) : entry.args

/** Finds for each block of content the call that it is a copy of: the first with its id and name that has no block yet, or with its id. */
export class Copies {
  readonly #waiting = new Map<string, CallPart[]>()
  readonly #taken = new Set<CallPart>()

  constructor(calls: readonly (CallPart | OtherPart)[]) {
    for (const call of [...calls].reverse()) {
      if (call.kind !== 'call') continue
      for (const key of keysOf(call)) {
        const known = this.#waiting.get(key)
        if (known) known.push(call)
        else this.#waiting.set(key, [call])
      }
    }
  }

  take(block: CallPart): CallPart | undefined {
    for (const key of keysOf(block)) {
      const calls = this.#waiting.get(key) ?? []
      for (let call = calls.pop(); call; call = calls.pop()) {
        if (this.#taken.has(call)) continue
        this.#taken.add(call)
        return call
      }
    }
    return undefined
  }
}

const keysOf = ({ id, name }: CallPart): string[] =>
  id === '' ? [`name ${name}`] : [`both ${JSON.stringify([id, name])}`, `id ${id}`]

/** The calls of a message as they are written in its two lists. */
export function writeLists(calls: readonly (CallPart | OtherPart)[]): { called: unknown[]; invalid: unknown[] } {
  const called: unknown[] = []
  const invalid: unknown[] = []
  if (isAlone(calls)) return { called, invalid }
  for (const part of calls) {
    const isInvalid = part.kind === 'other' ? part.field === 'invalid_tool_calls' : isUnreadable(part)
    const list = isInvalid ? invalid : called
    list.push(part.kind === 'other' ? part.raw : isInvalid ? writeInvalid(part) : writeCall(part))
  }
  return { called, invalid }
}

const isUnreadable = ({ callKind, raw }: CallPart): boolean =>
  callKind === 'invalid' && !('tool_calls' in asRecord(raw))

function writeCall(part: CallPart): unknown {
  const { id, name, input } = part
  const { tool_calls: before, invalid_tool_calls: unread } = asRecord(part.raw)
  if (!isRecord(before)) {
    const { error: _, ...kept } = asRecord(unread)
    return { ...kept, name, args: input, id, type: 'tool_call' }
  }
  const same = equal(inputOf(before), input)
  const renamed = isId(before.id, part) ? {} : { id }
  if (!isRecord(before.function))
    return overlay(before, renamed, text(before.name) === name ? {} : { name }, same ? {} : { args: input })
  const called = overlay(
    before.function,
    text(before.function.name) === name ? {} : { name },
    same ? {} : { arguments: jsonOf(input) },
  )
  return overlay(before, renamed, called === before.function ? {} : { function: called })
}

function writeInvalid(part: CallPart): unknown {
  const { id, name, input } = part
  const { invalid_tool_calls: before } = asRecord(part.raw)
  if (!isRecord(before)) return { name, args: input, id, error: 'Malformed args.', type: 'invalid_tool_call' }
  return overlay(before, isId(before.id, part) ? {} : { id }, text(before.name) === name ? {} : { name })
}

/** The block that represents a call: its own, or one of the type that its message has for others. */
export function writeBlock(part: CallPart, type: string): unknown {
  const { id, name, input } = part
  const own = blockOf(part)
  const keys = callKeys(own ? text(own.type) : type)
  const value = keys.input === 'arguments' ? jsonOf(input) : input
  if (!own) return { type, [keys.id]: id, name, [keys.input]: value }
  return overlay(
    own,
    isId(own[keys.id], part) ? {} : { [keys.id]: id },
    text(own.name) === name ? {} : { name },
    equal(inputBefore(part), input) && isWholeBlock(own) ? {} : { [keys.input]: value },
  )
}

export const blockOf = ({ raw }: CallPart): Fields | undefined => {
  const { content } = asRecord(raw)
  return isRecord(content) ? content : undefined
}

/** The type of block that the calls of a message have in its content, or that they get there; empty if they need none. */
export const blockTypeOf = (calls: readonly (CallPart | OtherPart)[], hasBlockContent: boolean): string => {
  if (isAlone(calls)) return ''
  const block = calls.map(call => (call.kind === 'call' ? blockOf(call) : undefined)).find(isRecord)
  return block ? text(block.type) : hasBlockContent ? 'tool_call' : ''
}

/** The input of a call as it was read. */
function inputBefore({ raw }: CallPart): unknown {
  const { content, ...listed } = asRecord(raw)
  const [entry] = Object.values(listed)
  if (isRecord(entry)) return inputOf(entry)
  return isRecord(content) ? parsedObject(content[callKeys(text(content.type)).input]) : undefined
}

function jsonOf(value: unknown): unknown {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return value
  }
}

/** Whether the calls are those that were read, each as it was. */
export const isSameCalls = (
  before: readonly (CallPart | OtherPart)[],
  now: readonly (CallPart | OtherPart)[],
): boolean => before.length === now.length && before.every((part, index) => isSame(part, now[index]))

function isSame(a: CallPart | OtherPart, b: CallPart | OtherPart | undefined): boolean {
  if (!b) return false
  if (a.kind === 'other' || b.kind === 'other') return a.kind === b.kind && equal(a.raw, b.raw)
  const isAlike = a.id === b.id && a.numeric === b.numeric && a.name === b.name && a.callKind === b.callKind
  return isAlike && !a.unlisted === !b.unlisted && a.brokenCopy === b.brokenCopy && equal(a.input, b.input)
}
