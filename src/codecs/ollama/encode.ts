import {
  asRecord,
  blankOf,
  type CallPart,
  type Conversation,
  isRecord,
  type Message,
  type Part,
  type ResultPart,
} from '../../core/conversation.ts'
import { equal } from '../../core/json/equal.ts'
import { jsonText } from '../../core/json/json-text.ts'
import { writeContent } from '../shared/chat-content.ts'
import { copyOf, roleOf } from '../shared/chat-message.ts'
import { overlay, unlessEqual } from '../shared/overlay.ts'
import { text } from '../shared/text.ts'
import { isSendableResult, nameIn } from './decode.ts'
import { areCalls, asTyped, isIndexed, isText, isWrittenId } from './field-types.ts'
import { imageIn, isBytes, textIn } from './pieces.ts'

export function encode(messages: readonly Message[], decoded: Conversation, history: readonly unknown[]): unknown[] {
  const first = decoded.messages[0]?.key ?? 0
  return messages.map(message => {
    const before = message.origin === undefined ? undefined : history[message.origin]
    return decoded.messages[message.key - first] === message
      ? before
      : unlessEqual(before, encodeMessage(message, history))
  })
}

type Raw = Record<string, unknown>

function encodeMessage(message: Message, history: readonly unknown[]): unknown {
  if (message.role === 'tool') return encodeResult(message.parts[0] as ResultPart)
  if (message.role === 'other') return writeUnknown(message, history[message.origin as number])
  const raw = copyOf(message, history, ['content', 'tool_calls', 'thinking', 'images'])
  raw.role = roleOf(message)
  const { content, images } = message.malformed ? kept(message) : writeBody(message)
  if (content === undefined) delete raw.content
  else raw.content = content
  if (images.length > 0) raw.images = images
  else if (Array.isArray(raw.images) ? raw.images.length > 0 : (raw.images ?? null) !== null) delete raw.images
  if (!message.malformed)
    for (const key of ['thinking', 'tool_name', 'tool_call_id']) if (!isText(raw[key])) raw[key] = jsonText(raw[key])
  if (message.role === 'assistant') writeAssistant(raw, message)
  else if (!areCalls(raw.tool_calls) && !message.parts.some(isOfCalls)) delete raw.tool_calls
  return raw
}

const isOfCalls = (part: Part): boolean => part.kind === 'other' && part.field === 'tool_calls'

const writeUnknown = (message: Message, raw: unknown): unknown =>
  message.malformed || !isRecord(raw) ? raw : asTyped(raw)

interface Body {
  /** Undefined if it is missing. */
  readonly content: unknown
  readonly images: readonly unknown[]
}

/** The content in the form that it has. */
function kept(message: Message): Body {
  const images = message.parts.flatMap(part => (part.kind === 'other' && part.field === 'images' ? part.raw : []))
  return { content: blankOf(message) === undefined ? writeContent(message.parts) : blankIn(message), images }
}

/** A text, and the images next to it: there is no other place for them. */
function writeBody(message: Message): Body {
  const { words, images } = flatten(message.parts)
  return { content: words === '' && blankOf(message) !== undefined ? blankIn(message) : words, images }
}

function blankIn(message: Message): unknown {
  const blank = blankOf(message)
  return blank === 'missing' ? undefined : blank === 'null' ? null : ''
}

function flatten(parts: readonly Part[]): { words: string; images: unknown[] } {
  const words: string[] = []
  const images: unknown[] = []
  for (const part of parts) {
    if (part.kind === 'text') words.push(part.text)
    if (part.kind !== 'other' || !contentFields.has(part.field) || part.raw === null) continue
    if (part.field === 'images' && isBytes(part.raw)) {
      images.push(part.raw)
      continue
    }
    // A text in a list of blocks is a text; an image of another format comes without a place.
    const image = typeof part.raw === 'string' && part.slot !== undefined && !part.field ? undefined : imageIn(part.raw)
    if (image !== undefined) images.push(image)
    else words.push(textIn(part.raw) ?? (typeof part.raw === 'string' ? part.raw : jsonText(part.raw)))
  }
  return { words: words.join('\n\n'), images }
}

const contentFields = new Set<string | undefined>([undefined, 'content', 'images'])

function writeAssistant(raw: Raw, message: Message): void {
  const calls: unknown[] = []
  const thoughts: string[] = []
  for (const part of message.parts) {
    if (part.kind === 'call') calls.push(writeCall(part, message.malformed === true))
    else if (part.kind === 'reasoning') thoughts.push(part.text)
    else if (part.kind === 'other' && part.field === 'tool_calls' && part.slot !== undefined) calls.push(part.raw)
  }
  if (calls.length > 0 || message.emptyCalls) raw.tool_calls = calls
  else if ((raw.tool_calls ?? null) !== null && !message.parts.some(isOfCalls)) delete raw.tool_calls
  if (thoughts.length > 0) raw.thinking = thoughts.join('\n\n')
  else if (typeof raw.thinking === 'string') delete raw.thinking
}

/** A call has an id only if it came with one. */
function writeCall(part: CallPart, isMalformed: boolean): unknown {
  const { id, name, input } = part
  if (!isRecord(part.raw)) return { ...(id === '' ? {} : { id }), function: { name, arguments: input } }
  const before = withIndex(asRecord(part.raw.function), isMalformed)
  const called = overlay(
    before,
    text(before.name) === name ? {} : { name },
    equal(before.arguments ?? {}, input) ? {} : { arguments: input },
  )
  return overlay(
    part.raw,
    isWrittenId(part.raw.id, part) ? {} : { id },
    called === part.raw.function ? {} : { function: called },
  )
}

/** Without a position that is not a number. */
function withIndex(called: Raw, isMalformed: boolean): Raw {
  if (isMalformed || isIndexed(called)) return called
  const { index: _, ...others } = called
  return others
}

function encodeResult(part: ResultPart): unknown {
  const { id, name = '', content, malformed } = part
  const raw = asRecord(part.raw)
  const named = nameIn(raw) === name ? {} : { tool_name: name }
  const identified = isWrittenId(raw.tool_call_id, part) ? {} : { tool_call_id: id }
  const answered = { ...raw, role: 'tool', ...named, ...identified }
  if (malformed || isSendableResult(content, raw)) return { ...answered, content }
  const { images: held, tool_name: tool, thinking, tool_calls: stray, ...others } = answered as Raw
  const rest = {
    ...others,
    ...(typeof tool === 'string' ? { tool_name: tool } : {}),
    ...(thinking === undefined ? {} : { thinking: isText(thinking) ? thinking : jsonText(thinking) }),
    ...(areCalls(stray) ? { tool_calls: stray } : {}),
  }
  const blocks = isText(content) ? [] : Array.isArray(content) ? content : [content]
  const isContent = blocks.every(block => isRecord(block) && typeof block.type === 'string')
  const list = [...(isContent ? blocks : []), ...(Array.isArray(held) ? held : held ? [held] : [])]
  const { words, images } = flatten(
    list.map((block): Part => ({ kind: 'other', ...(isBytes(block) ? { field: 'images' } : {}), raw: block })),
  )
  const texts = isContent ? (isText(content) ? [content] : []) : [jsonText(content)]
  if (!areCalls(stray)) texts.push(jsonText(stray))
  return {
    ...rest,
    content: [...texts, words].filter(text => typeof text === 'string' && text !== '').join('\n\n'),
    ...(images.length > 0 ? { images } : {}),
  }
}
