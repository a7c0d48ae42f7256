import type { Fields, Translation } from '../plan.ts'
import type { Random } from '../random.ts'

/** Chat messages as Ollama's own API takes them. Each history decides once how its results say which call they answer. */
export const ollama: Translation = {
  from: 'openai-chat',
  translate(messages, random) {
    const style: Style = {
      random,
      identified: random.chance(0.2),
      named: random.chance(0.8),
      indexed: random.chance(0.4),
      names: new Map(),
      strangers: 0,
    }
    return messages.map(message => (isFields(message) ? translateMessage(message, style) : message))
  },
}

interface Style {
  random: Random
  /** Calls and results have ids, as newer versions give them. */
  identified: boolean
  /** Results name their tool. */
  named: boolean
  /** Calls have their position. */
  indexed: boolean
  /** The names of the calls so far, by id. */
  names: Map<unknown, unknown>
  strangers: number
}

function translateMessage(message: Fields, style: Style): Fields {
  const {
    role,
    content,
    tool_calls,
    tool_call_id,
    reasoning_content,
    refusal: _,
    name,
    annotations: __,
    ...rest
  } = message
  const said: Fields = { ...rest }
  if (role !== undefined) said.role = role === 'developer' ? 'system' : role
  if ('content' in message) translateContent(said, content, style)
  if ('reasoning_content' in message) said.thinking = reasoning_content
  if ('tool_calls' in message)
    said.tool_calls = Array.isArray(tool_calls)
      ? tool_calls.map((call, index) => translateCall(call, index, style))
      : tool_calls
  if (role !== 'tool') return said
  if (style.identified && 'tool_call_id' in message) said.tool_call_id = tool_call_id
  if (style.named) said.tool_name = style.names.get(tool_call_id) ?? name ?? stranger(style)
  return said
}

/** Texts become one, and images a list of their own. Now and then a client leaves the blocks as they are. */
function translateContent(said: Fields, content: unknown, { random }: Style): void {
  if (content === null) said.content = random.chance(0.3) ? null : ''
  else if (!Array.isArray(content)) said.content = content
  else if (content.some(block => !isFields(block) || !('type' in block))) said.content = content
  else {
    const texts = content.filter(isFields).filter(block => block.type === 'text' || block.type === 'refusal')
    said.content = texts.map(block => wordsOf(block.text ?? block.refusal ?? '')).join('\n')
    const images = content.filter(isFields).filter(block => block.type === 'image_url')
    if (images.length > 0) said.images = images.map(image => imageData(JSON.stringify(image.image_url)))
  }
}

const imageData = (url: string): string => Buffer.from(`\x89PNG ${url}`, 'latin1').toString('base64')

function translateCall(call: unknown, index: number, style: Style): unknown {
  if (!isFields(call)) return call
  const called = isFields(call.function) ? call.function : isFields(call.custom) ? call.custom : {}
  style.names.set(call.id, called.name)
  const { arguments: input = called.input, name } = called
  const written: Fields = {}
  if (style.indexed) written.index = index
  if (name !== undefined) written.name = name
  if (input !== undefined) written.arguments = parsed(input)
  return { ...(style.identified && 'id' in call ? { id: call.id } : {}), function: written }
}

const stranger = (style: Style): string => `stranger_${String.fromCharCode(97 + (style.strangers++ % 26))}`

function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text as it is, and any other value as JSON: not every object has a text of its own. */
const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
