import type { Fields, Translation } from '../plan.ts'
import type { Random } from '../random.ts'

/** Chat messages as Pydantic AI stores them. Each history decides once how arguments are written and results are grouped. */
export const pydanticAi: Translation = {
  from: 'openai-chat',
  translate(messages, random) {
    const style: Style = {
      random,
      argsAsText: random.chance(0.6),
      grouped: random.chance(0.7),
      timed: random.chance(0.8),
      names: new Map(),
    }
    const translated: unknown[] = []
    for (const message of messages) {
      const made = isFields(message) ? translateMessage(message, style) : message
      const last = translated.at(-1)
      if (style.grouped && isResults(last) && isResults(made))
        (last.parts as unknown[]).push(...(made.parts as unknown[]))
      else translated.push(made)
    }
    return translated
  },
}

interface Style {
  random: Random
  argsAsText: boolean
  /** The results of a step share a request. */
  grouped: boolean
  timed: boolean
  /** The names of the calls so far, by id. */
  names: Map<unknown, unknown>
}

const time = '2026-01-01T00:00:00Z'

function translateMessage(message: Fields, style: Style): Fields {
  const { role, content, tool_calls, reasoning_content } = message
  const stamp = style.timed ? { timestamp: time } : {}
  if (role === 'assistant') {
    const parts = [
      ...(typeof reasoning_content === 'string' ? [{ content: reasoning_content, part_kind: 'thinking' }] : []),
      ...textsIn(content).map(text => ({ content: text, part_kind: 'text' })),
      ...(Array.isArray(tool_calls) ? tool_calls.map(call => translateCall(call, style)) : []),
    ]
    return { parts, ...(style.timed ? { model_name: 'gpt-5', timestamp: time } : {}), kind: 'response' }
  }
  if (role === 'user') return request(style, [{ content: prompt(content), ...stamp, part_kind: 'user-prompt' }])
  if (role === 'system' || role === 'developer')
    return request(style, [{ content: textsIn(content).join('\n'), ...stamp, part_kind: 'system-prompt' }])
  if (role !== 'tool') return message
  return request(style, [translateResult(message, style)])
}

const request = (style: Style, parts: unknown[]): Fields => ({
  parts,
  ...(style.timed ? { instructions: null } : {}),
  kind: 'request',
})

function translateResult(message: Fields, { random, names, timed }: Style): Fields {
  const tool_name = names.get(message.tool_call_id) ?? message.name ?? 'stranger'
  const said = textsIn(message.content).join('\n')
  const base: Fields = {
    tool_name,
    content: random.chance(0.3) ? parsed(said) : said,
    ...('tool_call_id' in message ? { tool_call_id: message.tool_call_id } : {}),
    ...(timed ? { metadata: null, timestamp: time } : {}),
  }
  if (said.startsWith('Error') && random.chance(0.5)) return { ...base, content: said, part_kind: 'retry-prompt' }
  return { ...base, part_kind: 'tool-return' }
}

function translateCall(call: unknown, style: Style): unknown {
  if (!isFields(call)) return call
  const called = isFields(call.function) ? call.function : isFields(call.custom) ? call.custom : {}
  style.names.set(call.id, called.name)
  const { arguments: input = called.input } = called
  const args = style.argsAsText ? input : parsed(input)
  return {
    ...('name' in called ? { tool_name: called.name } : {}),
    ...(args === undefined ? {} : { args }),
    ...('id' in call ? { tool_call_id: call.id } : {}),
    part_kind: 'tool-call',
  }
}

/** A text, or a list of texts and images. */
function prompt(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  return content.map(block => {
    if (!isFields(block)) return block
    if (block.type === 'text') return block.text
    return isFields(block.image_url) ? { url: block.image_url.url, kind: 'image-url' } : block
  })
}

function textsIn(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.filter(isFields).map(block => wordsOf(block.text ?? block.refusal ?? ''))
}

const isResults = (message: unknown): message is Fields =>
  isFields(message) &&
  message.kind === 'request' &&
  Array.isArray(message.parts) &&
  message.parts.every(part => isFields(part) && (part.part_kind === 'tool-return' || part.part_kind === 'retry-prompt'))

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
