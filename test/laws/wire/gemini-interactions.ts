import type { Fields, Translation } from '../plan.ts'
import type { Random } from '../random.ts'

/** Messages of Anthropic as the steps of Gemini's Interactions API: each block of the assistant is one. */
export const geminiInteractions: Translation = {
  from: 'anthropic',
  translate(messages, random) {
    const style: Style = { random, joined: random.chance(0.3), names: new Map(), strangers: 0 }
    return messages.flatMap(message => (isFields(message) ? translateMessage(message, style) : [message]))
  },
}

interface Style {
  random: Random
  /** Adjacent texts of the model are in one step. */
  joined: boolean
  /** The names of the calls so far, by id. */
  names: Map<unknown, unknown>
  strangers: number
}

function translateMessage(message: Fields, style: Style): unknown[] {
  const { role } = message
  if (role !== 'user' && role !== 'assistant') return [message]
  const type = role === 'user' ? 'user_input' : 'model_output'
  const content = typeof message.content === 'string' ? [textOf(message.content)] : message.content
  if (!Array.isArray(content)) return ['content' in message ? { type, content } : { type }]
  if (content.length === 0) return [{ type, content }]
  const steps: unknown[] = []
  for (const block of content) {
    const step = isFields(block) ? stepOf(block, style) : undefined
    const last = steps.at(-1)
    if (step) steps.push(step)
    else if ((role === 'user' || style.joined) && isFields(last) && last.type === type)
      (last.content as unknown[]).push(contentOf(block, style))
    else steps.push({ type, content: [contentOf(block, style)] })
  }
  return steps
}

/** A block that is a step by itself. */
function stepOf(block: Fields, style: Style): Fields | undefined {
  switch (block.type) {
    case 'tool_use':
      return callOf(block, style)
    case 'tool_result':
      return resultOf(block, style)
    case 'thinking': {
      const summary = style.random.chance(0.5) ? { summary: [textOf(block.thinking)] } : {}
      return { type: 'thought', ...('signature' in block ? { signature: block.signature } : {}), ...summary }
    }
    case 'redacted_thinking':
      return { type: 'thought', signature: block.data }
    case 'server_tool_use':
      return { type: 'google_search_call', ...idIn(block), arguments: { queries: [JSON.stringify(block.input)] } }
  }
  if (typeof block.type !== 'string' || !block.type.endsWith('_tool_result')) return undefined
  return { type: 'google_search_result', call_id: block.tool_use_id, result: [{ rendered: block.content }] }
}

function callOf(block: Fields, { names }: Style): Fields {
  names.set(block.id, block.name)
  const { name, input } = block
  return {
    type: 'function_call',
    ...idIn(block),
    ...('name' in block ? { name } : {}),
    ...('input' in block ? { arguments: input } : {}),
  }
}

const idIn = (block: Fields): Fields => ('id' in block ? { id: block.id } : {})

function resultOf(block: Fields, style: Style): Fields {
  const known = style.names.get(block.tool_use_id)
  const name = typeof known === 'string' ? known : `stranger_${String.fromCharCode(97 + (style.strangers++ % 26))}`
  return {
    type: 'function_result',
    ...('tool_use_id' in block ? { call_id: block.tool_use_id } : {}),
    name,
    result: outcomeOf(block.content, style),
    ...(block.is_error === true ? { is_error: true } : {}),
  }
}

function outcomeOf(content: unknown, style: Style): unknown {
  if (content === undefined || content === null) return ''
  if (Array.isArray(content)) return content.map(block => contentOf(block, style))
  return typeof content === 'string' && style.random.chance(0.2) ? { output: content } : content
}

function contentOf(block: unknown, { random }: Style): unknown {
  if (!isFields(block) || block.type !== 'image') return block
  const url = isFields(block.source) ? block.source.url : undefined
  if (random.chance(0.5)) return { type: 'image', uri: url ?? null }
  return { type: 'image', mime_type: 'image/png', data: Buffer.from(JSON.stringify(url ?? null)).toString('base64') }
}

const textOf = (text: unknown): Fields => ({ type: 'text', text })

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
