import type { Fields, Translation } from '../plan.ts'
import type { Random } from '../random.ts'

/** Blocks of Anthropic's under the names that Converse has for them; what caches there is a block of its own here. */
export const bedrock: Translation = {
  from: 'anthropic',
  translate: (messages, random) => messages.map(message => (isFields(message) ? write(message, random) : message)),
}

function write(message: Fields, random: Random): Fields {
  const written = 'content' in message ? { ...message, content: writeContent(message.content, random) } : message
  return random.chance(0.05) ? { ...written, metadata: { trace: random.id('tr_') } } : written
}

function writeContent(content: unknown, random: Random): unknown {
  if (typeof content === 'string') return content === '' && random.chance(0.5) ? [] : [{ text: content }]
  if (!Array.isArray(content)) return content
  const blocks = content.flatMap(block => writeBlock(block, random))
  if (random.chance(0.05)) blocks.push(cachePoint())
  if (random.chance(0.01)) blocks.splice(random.int(blocks.length + 1), 0, cachePoint())
  return blocks
}

function writeBlock(block: unknown, random: Random): unknown[] {
  if (!isFields(block) || typeof block.type !== 'string') return [block]
  const { type, cache_control, ...rest } = block
  const written = writeBody(type, rest, random)
  return cache_control === undefined ? [written] : [written, cachePoint()]
}

function writeBody(type: string, rest: Fields, random: Random): unknown {
  switch (type) {
    case 'text':
      return rest
    case 'image':
      return { image: { format: 'png', source: writeSource(rest.source, random) } }
    case 'thinking': {
      const { thinking, ...proof } = rest
      return { reasoningContent: { reasoningText: { text: thinking, ...proof } } }
    }
    case 'redacted_thinking':
      return { reasoningContent: { redactedContent: rest.data } }
    case 'tool_use':
      return { toolUse: renamed(rest, 'id') }
    case 'tool_result':
      return { toolResult: writeResult(rest, random) }
  }
  if (type.endsWith('_tool_use')) return { toolUse: { ...renamed(rest, 'id'), type: 'server_tool_use' } }
  if (type.endsWith('_tool_result')) {
    return { toolResult: { ...renamed(rest, 'tool_use_id'), content: values(rest.content), type } }
  }
  return { [type]: rest }
}

function writeSource(source: unknown, random: Random): unknown {
  const url = isFields(source) && typeof source.url === 'string' ? source.url : 'https://example.test/'
  if (random.chance(0.5)) return { s3Location: { uri: url.replace('https', 's3') } }
  return { bytes: btoa(url) }
}

function writeResult({ is_error, content, ...rest }: Fields, random: Random): Fields {
  const written: Fields = { ...renamed(rest, 'tool_use_id'), content: writeResultContent(content, random) }
  if (is_error === true) written.status = 'error'
  else if (is_error === false || random.chance(0.5)) written.status = 'success'
  return written
}

/** Now and then an object as what it is, or a value in a form that is not taken. */
function writeResultContent(content: unknown, random: Random): unknown {
  if (content === undefined || content === '') return []
  if (Array.isArray(content)) return content.flatMap(block => writeBlock(block, random))
  if (typeof content !== 'string') return random.chance(0.5) ? [{ json: content }] : content
  const value = random.chance(0.5) ? parsed(content) : undefined
  return [isFields(value) ? { json: value } : { text: content }]
}

const values = (content: unknown): unknown => (Array.isArray(content) ? content.map(json => ({ json })) : content)

function renamed({ ...rest }: Fields, key: string): Fields {
  const id = key in rest ? { toolUseId: rest[key] } : {}
  delete rest[key]
  return { ...id, ...rest }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const cachePoint = (): Fields => ({ cachePoint: { type: 'default' } })

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
