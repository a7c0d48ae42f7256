import type { Fields, Translation } from '../plan.ts'
import type { Random } from '../random.ts'

/** Anthropic's blocks as Gemini's parts. Each history decides once whether it has ids and signatures, and how it spells. */
export const gemini: Translation = {
  from: 'anthropic',
  translate(messages, random) {
    const style: Style = {
      random,
      spelling: random.chance(0.2) ? 'snake' : 'camel',
      withIds: random.chance(0.5),
      withSignatures: random.chance(0.5),
      resultRole: random.chance(0.15) ? 'function' : 'user',
      withoutRole: random.chance(0.15) ? 0.3 : 0,
      names: new Map(),
      strangers: 0,
    }
    return messages.map(message => (isFields(message) ? translateMessage(message, style) : message))
  },
}

interface Style {
  random: Random
  spelling: 'camel' | 'snake'
  withIds: boolean
  withSignatures: boolean
  resultRole: string
  /** How often a user turn does not say whose it is. */
  withoutRole: number
  /** The names of the calls so far, by id. */
  names: Map<unknown, unknown>
  strangers: number
}

function translateMessage({ role, content, ...rest }: Fields, style: Style): Fields {
  const { random } = style
  const message: Fields = { ...rest }
  const parts = translateContent(content, style)
  const isResults = Array.isArray(content) && content.length > 0 && content.every(isResult)
  if (role === 'assistant') message.role = 'model'
  else if (role === 'user') {
    if (isResults) message.role = style.resultRole
    else if (!random.chance(style.withoutRole)) message.role = 'user'
  } else if (role !== undefined) message.role = role
  if (parts !== undefined) message.parts = parts
  return message
}

function translateContent(content: unknown, style: Style): unknown {
  if (typeof content === 'string') return [textPart(content, style)]
  if (!Array.isArray(content)) return content
  let calls = 0
  return content.map(block => {
    if (!isFields(block)) return block
    if (block.type === 'tool_use') return translateCall(block, calls++ === 0, style)
    return translateBlock(block, style)
  })
}

function translateBlock(block: Fields, style: Style): unknown {
  const { random } = style
  switch (block.type) {
    case 'text':
      return 'text' in block ? textPart(block.text, style) : {}
    case 'tool_result':
      return translateResult(block, style)
    case 'thinking': {
      const part: Fields = { text: block.thinking, thought: true }
      if (style.withSignatures && 'signature' in block) part[key('thoughtSignature', style)] = block.signature
      return part
    }
    case 'redacted_thinking':
      return { text: '', [key('thoughtSignature', style)]: block.data ?? random.id('Em') }
    case 'image':
      return translateImage(block, style)
    case 'server_tool_use':
    case 'mcp_tool_use':
      return { [key('executableCode', style)]: { language: 'PYTHON', code: JSON.stringify(block.input ?? null) } }
    case 'web_search_tool_result':
    case 'mcp_tool_result': {
      const output = JSON.stringify(block.content ?? null)
      return { [key('codeExecutionResult', style)]: { outcome: 'OUTCOME_OK', output } }
    }
    default:
      return block
  }
}

function translateCall(block: Fields, isFirst: boolean, style: Style): Fields {
  const { random } = style
  style.names.set(block.id, block.name)
  const call: Fields = {}
  if (style.withIds && 'id' in block) call.id = block.id
  if ('name' in block) call.name = block.name
  if ('input' in block && !(isEmptyObject(block.input) && random.chance(0.3))) call.args = block.input
  const part: Fields = { [key('functionCall', style)]: call }
  if (style.withSignatures && isFirst) part[key('thoughtSignature', style)] = random.id('Ci')
  return part
}

function translateResult(block: Fields, style: Style): Fields {
  const { random } = style
  const result: Fields = {}
  if (style.withIds && 'tool_use_id' in block) result.id = block.tool_use_id
  const name = style.names.has(block.tool_use_id)
    ? style.names.get(block.tool_use_id)
    : `stranger_${String.fromCharCode(97 + (style.strangers++ % 26))}`
  if (name !== undefined) result.name = name
  const media = Array.isArray(block.content) ? block.content.filter(isImage) : []
  if (media.length > 0) result.parts = media.map(image => translateImage(image, style))
  result.response = translateResponse(block, random)
  const part: Fields = { [key('functionResponse', style)]: result }
  if (random.chance(0.05)) part[key('partMetadata', style)] = { source: 'test' }
  return part
}

function translateResponse({ content, is_error }: Fields, random: Random): unknown {
  const said = Array.isArray(content) ? content.filter(block => !isImage(block)) : content
  if (said === undefined || said === null) return {}
  if (typeof said !== 'string' && !Array.isArray(said)) return said
  if (is_error === true) return { error: said }
  const value = typeof said === 'string' ? parsed(said) : undefined
  if (isFields(value) && random.chance(0.5)) return value
  return { [random.pick(['output', 'output', 'result'])]: said }
}

function translateImage({ source }: Fields, style: Style): Fields {
  const url = isFields(source) ? source.url : undefined
  const mime = { [key('mimeType', style)]: 'image/png' }
  if (style.random.chance(0.5)) return { [key('fileData', style)]: { ...mime, [key('fileUri', style)]: url ?? null } }
  const data = Buffer.from(String(url)).toString('base64')
  return { [key('inlineData', style)]: { ...mime, data } }
}

function textPart(text: unknown, { random, withSignatures, spelling }: Style): Fields {
  const part: Fields = { text }
  if (random.chance(0.05)) part[spelling === 'camel' ? 'partMetadata' : 'part_metadata'] = { source: 'test' }
  if (text !== '' && withSignatures && random.chance(0.05))
    part[key('thoughtSignature', { spelling })] = random.id('Ct')
  return part
}

const key = (camel: string, { spelling }: Pick<Style, 'spelling'>): string =>
  spelling === 'camel' ? camel : camel.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

const isResult = (block: unknown): boolean => isFields(block) && block.type === 'tool_result'

const isImage = (block: unknown): block is Fields => isFields(block) && block.type === 'image'

const isEmptyObject = (value: unknown): boolean => isFields(value) && Object.keys(value).length === 0

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
