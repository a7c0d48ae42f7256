import {
  asRecord,
  type CallPart,
  type Conversation,
  type Fields,
  isRecord,
  type Message,
  type OtherPart,
  type Part,
  type ReasoningPart,
} from '../../core/conversation.ts'
import { type Content, readBlock as readChatBlock, readContent } from '../shared/chat-content.ts'
import { idText, numeric, text } from '../shared/text.ts'
import {
  blockId,
  blockOf,
  Copies,
  isWholeBlock,
  listedCalls,
  listOf,
  readBlock,
  readFunctionCall,
  strayCall,
} from './calls.ts'
import {
  contentKey,
  contentOf,
  fieldsOf,
  fileIn,
  formOf,
  hasBlockContent,
  hasUnlistedCalls,
  holders,
  isAside,
  isDeveloper,
  isEmptyBlock,
  isFilled,
  isOfJavaScript,
  isUnsendable,
  kindOf,
  roleOf,
  sendsEmptyCalls,
  typeOf,
} from './form.ts'
import { langchainFormat, type Placed } from './format.ts'
import { loneProviderBlocks, providerPart } from './provider-calls.ts'

/** Every message of the format is one message, except asides. */
export function decode(history: readonly unknown[], from = 0, to = history.length, key = 0): Conversation {
  const messages: Message[] = []
  const asides: number[] = []
  const lone = loneProviderBlocks(history, from, to)
  for (let origin = from; origin < to; origin++) {
    if (isAside(history[origin])) asides.push(origin)
    else messages.push(decodeMessage(history, key + messages.length, origin, lone))
  }
  return { format: langchainFormat, messages, asides, continues: false }
}

function decodeMessage(history: readonly unknown[], key: number, origin: number, lone: ReadonlySet<unknown>): Message {
  const raw = history[origin]
  if (!isRecord(raw)) return { key, origin, role: 'other', parts: [] }
  const type = typeOf(raw)
  const fields = fieldsOf(raw)
  const role = hasUnlistedCalls(type, fields) ? 'other' : roleOf(type)
  const within = holders[formOf(raw)]
  const place = { key, origin, role, ...(within === undefined ? {} : { within }) }
  switch (role) {
    case 'system':
      return {
        ...place,
        ...readSaid(fields, contentPart),
        ...(isDeveloper(type, fields) ? { developer: true } : {}),
      }
    case 'user':
      return { ...place, ...readSaid(fields, saidPart) }
    case 'assistant':
      return {
        ...place,
        ...withStrayCalls(asSent(assistant(fields, lone), history, origin), history, origin),
        ...(sendsEmptyCalls(fields) ? { emptyCalls: true } : {}),
      }
    case 'tool':
      return { ...place, parts: [result(fields, kindOf(type) === 'function')] }
    case 'other':
      return { ...place, parts: [] }
  }
}

/**
 * LangChain.js does not send a call whose arguments could not be parsed, unless it is in the provider's own list or in the
 * content. Otherwise such a call counts only if a later result answers it, and no other call of the message.
 */
function asSent(decoded: Content, history: readonly unknown[], origin: number): Content {
  const raw = history[origin] as Fields
  const fields = fieldsOf(raw)
  if (!isFilled(fields.invalid_tool_calls) || !isOfJavaScript(raw)) return decoded
  const { tool_calls: own } = asRecord(fields.additional_kwargs)
  if (!isFilled(fields.tool_calls) && isFilled(own)) return decoded
  const spare = resultsAfter(history, origin)
  const isInvalid = (part: CallPart): boolean => listOf(part) === 'invalid_tool_calls' && !blockOf(part)
  for (const part of decoded.parts) if (part.kind === 'call' && !isInvalid(part)) take(spare, part.id)
  return {
    ...decoded,
    parts: decoded.parts.map(part =>
      part.kind === 'call' && isInvalid(part) && !take(spare, part.id) ? unsentCall(part) : part,
    ),
  }
}

/**
 * Calls in the provider's own list that are missing in the lists which LangChain sends, if a result answers them: the result
 * is sent, so its call must be too.
 */
function withStrayCalls(decoded: Content, history: readonly unknown[], origin: number): Content {
  const { tool_calls: own } = asRecord(fieldsOf(history[origin] as Fields).additional_kwargs)
  if (!isFilled(own) || !decoded.parts.some(isClientCall)) return decoded
  const known = new Set(decoded.parts.map(part => (part.kind === 'call' ? part.id : '')))
  const stray = own.map((entry, slot) => strayCall(entry, slot)).filter(part => part && !known.has(part.id))
  if (stray.length === 0) return decoded
  const answered = resultsAfter(history, origin)
  const calls = stray.filter(part => part !== undefined).filter(({ id }) => take(answered, id))
  return calls.length === 0 ? decoded : { ...decoded, parts: [...decoded.parts, ...calls] }
}

const isClientCall = (part: Part): boolean => part.kind === 'call' && part.by === 'client'

const unsentCall = ({ raw, slot = 0 }: Part): OtherPart => ({
  kind: 'other',
  unsent: 'call',
  field: 'invalid_tool_calls',
  raw: asRecord(raw).invalid_tool_calls,
  slot,
})

/** How many results of each id directly follow a message. */
function resultsAfter(history: readonly unknown[], origin: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (let index = origin + 1; index < history.length; index++) {
    const raw = history[index]
    if (isAside(raw)) continue
    if (!isRecord(raw) || roleOf(typeOf(raw)) !== 'tool') break
    const id = idText(fieldsOf(raw).tool_call_id)
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

function take(counts: Map<string, number>, id: string): boolean {
  const left = counts.get(id) ?? 0
  counts.set(id, left - 1)
  return left > 0
}

function readSaid(fields: Fields, read: (raw: unknown, slot: number) => Part): Content {
  const list = contentKey(fields)
  const content = readContent(fields[list], read)
  // Content that is neither a text nor a list is read by no version of LangChain.
  if (list === 'content')
    return { ...content, parts: content.parts.map(part => ('field' in part ? { ...part, unreadable: true } : part)) }
  return { ...content, parts: content.parts.map((part): Placed => ({ ...part, list })) }
}

/** A text in a list of blocks can be a plain string. */
function contentPart(raw: unknown, slot: number): Part {
  if (typeof raw === 'string') return { kind: 'text', text: raw, raw, slot }
  return isRecord(raw) && !isEmptyBlock(raw) ? readChatBlock(raw, slot) : { kind: 'other', unreadable: true, raw, slot }
}

/** A part that a package may leave out for its type, or fail on. It does neither in a system message. */
function saidPart(raw: unknown, slot: number): Part {
  const part = contentPart(raw, slot)
  if (part.kind !== 'other' || part.unreadable || !isRecord(raw)) return part
  return { ...part, ...fileIn(raw), block: text(raw.type) }
}

/** A part of a list of LangChain's own blocks. The package for Anthropic leaves out blocks of other types, and items of others. */
function ownPart(raw: unknown, slot: number, { response_metadata: metadata }: Fields): Part {
  const part = contentPart(raw, slot)
  if (part.kind !== 'other' || part.unreadable) return part
  const { type } = asRecord(raw)
  const isSent = type === 'non_standard' ? asRecord(metadata).model_provider === 'anthropic' : ownTypes.test(text(type))
  return { ...part, ...(isUnsendable(asRecord(raw)) && { file: 'neither' }), ...(!isSent && { block: '' }) }
}

const ownTypes = /^(text(-plain)?|image|file|audio|(server_)?tool_call(_chunk|_result)?)$/

/**
 * A call with a block in the content has the place of that block, all others follow the content. Content with reasoning only
 * counts as empty. A `function_call` next to other calls is a copy of one of them. `lone` has the blocks of provider-run calls without their
 * other half.
 */
export function assistant(fields: Fields, lone?: ReadonlySet<unknown>): Content {
  const listed = listedCalls(fields)
  const copies = Array.isArray(contentOf(fields)) ? new Copies(listed) : undefined
  const placed = new Set<CallPart | OtherPart>()
  // Blocks of LangChain's own have other types.
  const readPart = hasBlockContent(fields) ? ownPart : saidPart
  const { parts, ...blank } = readSaid(fields, (raw, slot) => {
    if (lone?.has(raw)) return providerPart(raw as Fields, slot) ?? readPart(raw, slot, fields)
    if (blockId(raw) === undefined) return reasoningPart(raw, slot) ?? readPart(raw, slot, fields)
    const own = readBlock(raw as Fields, slot, hasBlockContent(fields))
    const call = copies?.take(own)
    if (!call) return own
    placed.add(call)
    const places = call.unlisted && own.unlisted ? { unlisted: [...call.unlisted, ...own.unlisted] } : {}
    const broken = isWholeBlock(raw as Fields) ? {} : { brokenCopy: true as const }
    return { ...call, ...places, ...broken, copy: own.input, raw: { ...asRecord(call.raw), content: raw } }
  })
  const isThought = parts.length > 0 && parts.every(part => part.kind === 'reasoning')
  const { reasoning_content: reasoning, refusal, audio } = asRecord(fields.additional_kwargs)
  if (typeof reasoning === 'string') parts.unshift({ kind: 'reasoning', text: reasoning, signed: true })
  if (typeof refusal === 'string' && refusal !== '') parts.push({ kind: 'other', field: refusalPath, raw: refusal })
  if (isRecord(audio)) parts.push({ kind: 'other', field: audioPath, raw: audio })
  for (const call of listed) if (!placed.has(call)) parts.push(call)
  const only = parts.some(isClientCall) ? undefined : readFunctionCall(fields)
  if (only) parts.push(only)
  return { parts, ...blank, ...(isThought ? { blank: 'empty' as const } : {}) }
}

/** Assistant text outside the content. */
export const refusalPath = 'additional_kwargs.refusal'
const audioPath = 'additional_kwargs.audio'

/** Reasoning that a provider has put into the content; there it stays. Only thinking is sent again with its proof. */
function reasoningPart(raw: unknown, slot: number): ReasoningPart | undefined {
  if (!isReasoning(raw)) return undefined
  const words = text(raw.thinking) || text(raw.reasoning) || text(raw.text)
  return { kind: 'reasoning', text: words, signed: isSigned(raw), block: text(raw.type), raw, slot }
}

export function isSigned({ type, signature, data }: Fields): boolean {
  if (type === 'redacted_thinking') return text(data) !== ''
  return type !== 'thinking' || text(signature) !== ''
}

export const isReasoning = (block: unknown): block is Fields =>
  isRecord(block) && (block.type === 'thinking' || block.type === 'redacted_thinking' || block.type === 'reasoning')

function result(fields: Fields, isLegacy: boolean): Part {
  const { tool_call_id: id, name } = fields
  const content = contentOf(fields)
  const kept = Array.isArray(content) ? content.filter(block => fileIn(asRecord(block)).file !== 'neither') : []
  return {
    kind: 'result',
    id: idText(id),
    ...(typeof name === 'string' ? { name } : {}),
    content,
    ...(Array.isArray(content) && kept.length < content.length ? { sendable: kept.length > 0 ? kept : '' } : {}),
    ...numeric(id),
    ...(fields.status === 'error' ? { error: true as const } : {}),
    ...(hasBlockContent(fields) ? { standard: true as const } : {}),
    ...(fields.artifact === undefined || fields.artifact === null ? {} : { extra: fields.artifact }),
    callKind: isLegacy ? 'legacy' : 'function',
    by: 'client',
  }
}
