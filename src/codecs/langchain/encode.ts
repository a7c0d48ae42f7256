import {
  blankOf,
  type CallPart,
  type Conversation,
  isRecord,
  type Message,
  type OtherPart,
  type Part,
  type ReasoningPart,
  type ResultPart,
  type TextPart,
} from '../../core/conversation.ts'
import { equal } from '../../core/equal.ts'
import { overlay, unlessEqual } from '../overlay.ts'
import { isId } from '../text.ts'
import { blockOf, blockTypeOf, isSameCalls, writeBlock, writeLists } from './calls.ts'
import { assistant } from './decode.ts'
import { developerKey, type Fields, fieldsOf, formOf, record, roleOf, typeOf } from './form.ts'
import { donorsOf, madeLike, type Speaker, withFields } from './make.ts'

export function encode(messages: readonly Message[], decoded: Conversation, history: readonly unknown[]): unknown[] {
  const first = decoded.messages[0]?.key ?? 0
  const donors = donorsOf(history)
  const opening = decoded.messages.find(({ role }) => role !== 'other')
  let neighbour = opening && rawOf(opening, history)
  return messages.map(message => {
    const { role } = message
    const raw = rawOf(message, history)
    if (role !== 'other') neighbour = raw ?? neighbour
    if (role === 'other' || decoded.messages[message.key - first] === message) return history[message.origin as number]
    if (!raw || roleOf(typeOf(raw)) !== role)
      return madeLike(neighbour, role as Speaker, write(message, spoken(raw), history), donors)
    return unlessEqual(raw, named(message, withFields(raw, write(message, fieldsOf(raw), history))))
  })
}

/** The wire message that a message comes from. */
function rawOf({ origin }: Message, history: readonly unknown[]): Fields | undefined {
  const raw = origin === undefined ? undefined : history[origin]
  return isRecord(raw) ? raw : undefined
}

/** What a message takes along into another role: of an object nothing, for its fields are those of its class. */
function spoken(raw: Fields | undefined): Fields {
  if (!raw || formOf(raw) === 'instance') return {}
  const { type: _, role: __, ...fields } = fieldsOf(raw)
  return fields
}

/** A system message is no longer called `developer` where its reader does not know that name. */
function named({ role, developer }: Message, written: unknown): unknown {
  if (role !== 'system' || developer || !isRecord(written)) return written
  return overlay(
    written,
    written.type === 'developer' ? { type: 'system' } : {},
    written.role === 'developer' ? { role: 'system' } : {},
  )
}

type Draft = Record<string, unknown>

/** The fields of a message, made from those that it has. */
function write(message: Message, before: Fields, history: readonly unknown[]): Fields {
  const fields = base(message, before, history)
  if (message.role === 'tool') writeResult(fields, message.parts[0] as ResultPart)
  else if (message.role === 'assistant') writeAssistant(fields, message, before)
  else writeContent(fields, message)
  if (message.role === 'system' && !message.developer) writeExtras(fields, { [developerKey]: undefined })
  return fields
}

/** A copy of the fields, with the unknown ones of the messages that were merged into this one. */
function base({ merged }: Message, before: Fields, history: readonly unknown[]): Draft {
  if (!merged) return { ...before }
  let others: Fields = {}
  let extras: Fields = {}
  for (const origin of merged) {
    const fields = fieldsOf(record(history[origin]))
    others = { ...others, ...unknown(fields, ownFields) }
    extras = { ...extras, ...unknown(record(fields.additional_kwargs), ownExtras) }
  }
  const kept = { ...extras, ...record(before.additional_kwargs) }
  return { ...others, ...before, ...(Object.keys(extras).length > 0 ? { additional_kwargs: kept } : {}) }
}

const ownFields = new Set([
  ...['type', 'role', 'id', 'content', 'additional_kwargs'],
  ...['tool_calls', 'invalid_tool_calls', 'tool_call_chunks'],
])

const ownExtras = new Set(['tool_calls', 'function_call', 'reasoning_content'])

/** The fields that are not known here. Those that begin with `lc_` belong to the class. */
const unknown = (fields: Fields, known: ReadonlySet<string>): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => value !== undefined && !known.has(key) && !key.startsWith('lc_')),
  )

function writeResult(fields: Draft, part: ResultPart): void {
  const { id, name, content, error } = part
  const isNew = !('tool_call_id' in fields) && !('content' in fields)
  if (isNew || !equal(fields.content, content)) fields.content = content ?? ''
  if (isNew || !isId(fields.tool_call_id, part)) fields.tool_call_id = id
  if (name !== undefined && (isNew ? name !== '' : typeof fields.name === 'string')) fields.name = name
  if (isNew && error) fields.status = 'error'
}

function writeAssistant(fields: Draft, message: Message, before: Fields): void {
  const calls = message.parts.filter(isCalled)
  const isChanged = !isSameCalls(assistant(before).parts.filter(isCalled), calls)
  writeContent(fields, message, isChanged ? blockTypeOf(calls) : undefined)
  const thoughts = message.parts.filter(part => part.kind === 'reasoning' && part.raw === undefined)
  const reasoning = thoughts.map(part => (part as ReasoningPart).text).join('\n\n')
  if (thoughts.length > 0) writeExtras(fields, { reasoning_content: reasoning })
  else if (typeof record(fields.additional_kwargs).reasoning_content === 'string')
    writeExtras(fields, { reasoning_content: undefined })
  if (isChanged) writeCalls(fields, calls)
}

/** What a provider or a stream left behind of the calls as they were would contradict them now. */
function writeCalls(fields: Draft, calls: readonly (CallPart | OtherPart)[]): void {
  const { called, invalid } = writeLists(calls)
  if (called.length > 0 || 'tool_calls' in fields) fields.tool_calls = called
  if (invalid.length > 0 || 'invalid_tool_calls' in fields) fields.invalid_tool_calls = invalid
  if ('tool_call_chunks' in fields) fields.tool_call_chunks = []
  writeExtras(fields, { tool_calls: undefined, function_call: undefined })
  const { output, ...metadata } = record(fields.response_metadata)
  if (Array.isArray(output) && output.some(item => item?.type === 'function_call')) fields.response_metadata = metadata
}

/** Changes what stands in `additional_kwargs`; what is undefined goes. */
function writeExtras(fields: Draft, changes: Fields): void {
  const before = record(fields.additional_kwargs)
  const after: Draft = { ...before }
  for (const key of Object.keys(changes)) {
    if (changes[key] === undefined) delete after[key]
    else after[key] = changes[key]
  }
  if (!equal(before, after)) fields.additional_kwargs = after
}

/** Calls without a block of their own get one of the type `block`, where that is given. */
function writeContent(fields: Draft, message: Message, block?: string): void {
  const parts = message.parts.filter(part => isContent(part) || (part.kind === 'call' && (blockOf(part) || block)))
  const [first] = parts
  if (!first) {
    const isKept = 'content' in fields && isBlank(fields.content) && blankOf(message) !== 'empty'
    if (!isKept) fields.content = ''
  } else if (parts.length === 1 && first.kind === 'other' && first.field === 'content') fields.content = first.raw
  else if (parts.every(part => part.kind === 'text' && part.raw === undefined))
    fields.content = parts.map(part => (part as TextPart).text).join('\n\n')
  else fields.content = parts.map(part => writePart(part, block ?? ''))
}

const isContent = (part: Part): boolean =>
  part.kind === 'text' ||
  (part.kind === 'reasoning' && part.raw !== undefined) ||
  (part.kind === 'other' && (part.field === undefined || part.field === 'content'))

const isBlank = (content: unknown): boolean =>
  content === undefined || content === null || content === '' || (Array.isArray(content) && content.length === 0)

function writePart(part: Part, block: string): unknown {
  if (part.kind === 'call') return writeBlock(part, block)
  if (part.kind !== 'text') return part.raw
  if (typeof part.raw === 'string') return part.text
  if (!isRecord(part.raw)) return { type: 'text', text: part.text }
  return part.raw.text === part.text ? part.raw : { ...part.raw, text: part.text }
}

/** A call, or what stands in the place of one. */
const isCalled = (part: Part): part is CallPart | OtherPart =>
  part.kind === 'call' || (part.kind === 'other' && part.field !== undefined && part.field !== 'content')
