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
import { isId, text } from '../shared/text.ts'
import { isText, nameIn } from './decode.ts'
import { areImages, imageIn, textIn } from './pieces.ts'

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
  if (message.role === 'other') return history[message.origin as number]
  const raw = copyOf(message, history, ['content', 'tool_calls', 'thinking', 'images'])
  raw.role = roleOf(message)
  const { content, images } = message.malformed ? kept(message) : writeBody(message)
  if (content === undefined) delete raw.content
  else raw.content = content
  if (images.length > 0) raw.images = images
  else if (Array.isArray(raw.images) ? raw.images.length > 0 : raw.images) delete raw.images
  if (!message.malformed && !isText(raw.thinking)) raw.thinking = jsonText(raw.thinking)
  if (message.role === 'assistant') writeAssistant(raw, message)
  return raw
}

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

function flatten(parts: readonly Part[]): { words: string; images: string[] } {
  const words: string[] = []
  const images: string[] = []
  for (const part of parts) {
    if (part.kind === 'text') words.push(part.text)
    if (part.kind !== 'other' || !contentFields.has(part.field) || part.raw === null) continue
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
    if (part.kind === 'call') calls.push(writeCall(part))
    else if (part.kind === 'reasoning') thoughts.push(part.text)
    else if (part.kind === 'other' && part.field === 'tool_calls') calls.push(part.raw)
  }
  if (calls.length > 0 || message.emptyCalls) raw.tool_calls = calls
  else if (Array.isArray(raw.tool_calls)) delete raw.tool_calls
  if (thoughts.length > 0) raw.thinking = thoughts.join('\n\n')
  else if (typeof raw.thinking === 'string') delete raw.thinking
}

/** A call has an id only if it came with one. */
function writeCall(part: CallPart): unknown {
  const { id, name, input } = part
  if (!isRecord(part.raw)) return { ...(id === '' ? {} : { id }), function: { name, arguments: input } }
  const before = asRecord(part.raw.function)
  const called = overlay(
    before,
    text(before.name) === name ? {} : { name },
    equal(before.arguments ?? {}, input) ? {} : { arguments: input },
  )
  return overlay(part.raw, isId(part.raw.id, part) ? {} : { id }, called === before ? {} : { function: called })
}

function encodeResult(part: ResultPart): unknown {
  const { id, name = '', content, malformed } = part
  const raw = asRecord(part.raw)
  const named = nameIn(raw) === name ? {} : { tool_name: name }
  const identified = isId(raw.tool_call_id, part) ? {} : { tool_call_id: id }
  const answered = { ...raw, role: 'tool', ...named, ...identified }
  if (malformed || (isText(content) && isText(raw.tool_name) && areImages(raw.images))) return { ...answered, content }
  const { images: held, tool_name: tool, ...others } = answered as Raw
  const rest = typeof tool === 'string' ? { ...others, tool_name: tool } : others
  const blocks = isText(content) ? [] : Array.isArray(content) ? content : [content]
  const isContent = blocks.every(block => isRecord(block) && typeof block.type === 'string')
  const list = [...(isContent ? blocks : []), ...(Array.isArray(held) ? held : held ? [held] : [])]
  const { words, images } = flatten(list.map((block): Part => ({ kind: 'other', raw: block })))
  const said = isContent ? (isText(content) ? [content] : []) : [jsonText(content)]
  return {
    ...rest,
    content: [...said, words].filter(text => typeof text === 'string' && text !== '').join('\n\n'),
    ...(images.length > 0 ? { images } : {}),
  }
}
