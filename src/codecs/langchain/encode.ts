import {
  asRecord,
  blankOf,
  type CallPart,
  type Conversation,
  type Fields,
  hasClientCall,
  isRecord,
  type Message,
  type OtherPart,
  type Part,
  type ReasoningPart,
  type ResultPart,
  type TextPart,
} from '../../core/conversation.ts'
import { equal } from '../../core/json/equal.ts'
import { insertAsides } from '../shared/asides.ts'
import { joined, overlay, unlessEqual } from '../shared/overlay.ts'
import { isId } from '../shared/text.ts'
import { blockOf, blockTypeOf, isSameCalls, writeBlock, writeFunctionCall, writeLists } from './calls.ts'
import { assistant, refusalPath } from './decode.ts'
import {
  blockKeys,
  contentKey,
  contentOf,
  developerKey,
  fieldsOf,
  formOf,
  hasBlockContent,
  isEmptyContent,
  type Kind,
  kindOf,
  sendsEmptyCalls,
  typeOf,
} from './form.ts'
import { firstOfKind, makeInFormOf, withFields } from './make.ts'

export function encode(messages: readonly Message[], decoded: Conversation, history: readonly unknown[]): unknown[] {
  const first = decoded.messages[0]?.key ?? 0
  const donors = firstOfKind(history)
  const opening = decoded.messages.find(({ role }) => role !== 'other')
  let front = opening?.origin
  const written = messages.map(message => {
    const { role, origin } = message
    const raw = rawOf(message, history)
    if (role !== 'other' && raw) front = origin
    if (role === 'other' || decoded.messages[message.key - first] === message) return history[origin as number]
    const kind = kindFor(message)
    if (raw && kindOf(typeOf(raw)) === kind)
      return unlessEqual(raw, named(message, withFields(raw, write(message, fieldsOf(raw), history))))
    const neighbour = front === undefined ? undefined : (history[front] as Fields)
    return makeInFormOf(neighbour, kind, write(message, spoken(raw), history), () => donors(kind, front as number))
  })
  return insertAsides(written, messages, decoded, history)
}

function kindFor({ role, parts: [first] }: Message): Kind {
  return role === 'tool' && first?.kind === 'result' && first.callKind === 'legacy' ? 'function' : (role as Kind)
}

/** The message of the format that a message comes from. */
function rawOf({ origin }: Message, history: readonly unknown[]): Fields | undefined {
  const raw = origin === undefined ? undefined : history[origin]
  return isRecord(raw) ? raw : undefined
}

/** The fields that a message keeps in another role: none of an object, since its fields are those of its class. */
function spoken(raw: Fields | undefined): Fields {
  if (!raw || formOf(raw) === 'instance') return {}
  const { type: _, role: __, ...fields } = fieldsOf(raw)
  return fields
}

/** A system message is no longer called `developer` if the provider does not know that name. */
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
  const all = merged.map(origin => fieldsOf(asRecord(history[origin])))
  const others = joined(all.map(fields => unknown(fields, ownFields)))
  const extras = joined(all.map(fields => unknown(asRecord(fields.additional_kwargs), ownExtras)))
  const kept = { ...extras, ...asRecord(before.additional_kwargs) }
  return { ...others, ...before, ...(Object.keys(extras).length > 0 ? { additional_kwargs: kept } : {}) }
}

const ownFields = new Set([
  ...['type', 'role', 'id', 'content', ...blockKeys, 'additional_kwargs'],
  ...['tool_calls', 'invalid_tool_calls', 'tool_call_chunks'],
])

const ownExtras = new Set(['tool_calls', 'function_call', 'reasoning_content'])

/** The fields that are not known here. Those that begin with `lc_` belong to the class. */
const unknown = (fields: Fields, known: ReadonlySet<string>): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([key, value]) => value !== undefined && !known.has(key) && !key.startsWith('lc_')),
  )

function writeResult(fields: Draft, part: ResultPart): void {
  const { id, name, content, error, callKind } = part
  if (!part.standard && hasBlockContent(fields)) {
    const { output_version: _, ...metadata } = asRecord(fields.response_metadata)
    setContent(fields, contentOf(fields))
    if (fields.response_metadata) fields.response_metadata = metadata
  }
  const isNew = !('tool_call_id' in fields) && !('content' in fields) && contentKey(fields) === 'content'
  if (isNew || !equal(contentOf(fields), content)) setContent(fields, content ?? '')
  if (callKind === 'legacy') {
    delete fields.tool_call_id
    if (name !== undefined) fields.name = name
    return
  }
  if (isNew || !isId(fields.tool_call_id, part)) fields.tool_call_id = id
  if (name !== undefined && (isNew ? name !== '' : typeof fields.name === 'string')) fields.name = name
  if (isNew && error) fields.status = 'error'
}

/** Blocks in another field than the content are a copy of its previous value. */
function setContent(fields: Draft, content: unknown): void {
  fields.content = content
  for (const key of blockKeys) if (Object.hasOwn(fields, key) && Array.isArray(fields[key])) delete fields[key]
}

function writeAssistant(fields: Draft, message: Message, before: Fields): void {
  const calls = message.parts.filter(isCalled)
  const isChanged = !isSameCalls(assistant(before).parts.filter(isCalled), calls)
  writeContent(fields, message, isChanged ? blockTypeOf(calls, hasBlockContent(fields)) : undefined)
  const thoughts = message.parts.filter(part => part.kind === 'reasoning' && part.raw === undefined)
  const reasoning = thoughts.map(part => (part as ReasoningPart).text).join('\n\n')
  if (thoughts.length > 0) writeExtras(fields, { reasoning_content: reasoning })
  else if (typeof asRecord(fields.additional_kwargs).reasoning_content === 'string')
    writeExtras(fields, { reasoning_content: undefined })
  const refusals = message.parts.filter(part => part.kind === 'other' && part.field === refusalPath)
  if (refusals.length > 0) writeExtras(fields, { refusal: refusals.map(({ raw }) => raw).join('\n\n') })
  if (isChanged) writeCalls(fields, calls)
  else if (!message.emptyCalls && sendsEmptyCalls(fields)) writeExtras(fields, { tool_calls: undefined })
}

/** Copies of the previous calls, left by a provider or a stream, would contradict the new ones. */
function writeCalls(fields: Draft, calls: readonly (CallPart | OtherPart)[]): void {
  const { called, invalid } = writeLists(calls)
  if (called.length > 0 || 'tool_calls' in fields) fields.tool_calls = called
  if (invalid.length > 0 || 'invalid_tool_calls' in fields) fields.invalid_tool_calls = invalid
  if ('tool_call_chunks' in fields) fields.tool_call_chunks = []
  writeExtras(fields, { tool_calls: undefined, function_call: writeFunctionCall(calls) })
  const { output, ...metadata } = asRecord(fields.response_metadata)
  if (Array.isArray(output) && output.some(item => item?.type === 'function_call')) fields.response_metadata = metadata
}

/** Changes `additional_kwargs`; undefined removes a key. */
function writeExtras(fields: Draft, changes: Fields): void {
  const before = asRecord(fields.additional_kwargs)
  const after: Draft = { ...before }
  for (const key of Object.keys(changes)) {
    if (changes[key] === undefined) delete after[key]
    else after[key] = changes[key]
  }
  if (!equal(before, after)) fields.additional_kwargs = after
}

/**
 * Where calls have changed, those without a block get one of the type `block`, unless that is empty. Unchanged ones keep
 * their place.
 */
function writeContent(fields: Draft, message: Message, block?: string): void {
  const parts = message.parts.filter(
    part => isContent(part) || (isCalled(part) && part.kind === 'call' && (blockOf(part) || block)),
  )
  const before = contentOf(fields)
  const isKept = parts.length === 0 && 'content' in fields && isEmptyContent(before) && blankOf(message) !== 'empty'
  const content = isKept ? before : contentFrom(parts, message, block ?? '', hasBlockContent(fields))
  if (block !== undefined || !equal(before, content)) setContent(fields, content)
}

function contentFrom(parts: readonly Part[], message: Message, block: string, hasBlockContent: boolean): unknown {
  const [first] = parts
  if (!first) return hasBlockContent ? noBlocks(message) : ''
  if (parts.length === 1 && first.kind === 'other' && first.field === 'content') return first.raw
  if (!hasBlockContent && parts.every((part): part is TextPart => part.kind === 'text' && part.raw === undefined))
    return parts.map(({ text }) => text).join('\n\n')
  return parts.map(part => writePart(part, block))
}

/** An empty text, where a message has nothing else to be there for. */
const noBlocks = (message: Message): unknown[] =>
  blankOf(message) === 'empty' && !hasClientCall(message) ? [{ type: 'text', text: '' }] : []

const isContent = (part: Part): boolean =>
  part.kind === 'text' ||
  isProviderHalf(part) ||
  (part.kind === 'reasoning' && part.raw !== undefined) ||
  (part.kind === 'other' && (part.field === undefined || part.field === 'content'))

function writePart(part: Part, block: string): unknown {
  if (part.kind === 'call') return part.by === 'provider' ? blockOf(part) : writeBlock(part, block)
  if (part.kind !== 'text') return part.raw
  if (typeof part.raw === 'string') return part.text
  if (!isRecord(part.raw)) return { type: 'text', text: part.text }
  return part.raw.text === part.text ? part.raw : { ...part.raw, text: part.text }
}

/** A call, or the value in its place. */
const isCalled = (part: Part): part is CallPart | OtherPart =>
  (part.kind === 'call' && part.by === 'client') ||
  (part.kind === 'other' && part.field !== undefined && callLists.has(part.field))

/** A block of a provider-run call or of its result. */
const isProviderHalf = (part: Part): boolean =>
  (part.kind === 'call' || part.kind === 'result') && part.by === 'provider' && part.raw !== undefined

const callLists = new Set(['tool_calls', 'invalid_tool_calls', 'additional_kwargs.tool_calls'])
