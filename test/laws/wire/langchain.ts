import type { Fields, Translation } from '../plan.ts'
import type { Random } from '../random.ts'

/**
 * Chat messages as LangChain writes them. Each history decides once which form they have, and what copies of its calls. Now
 * and then a message that removes another stands among them.
 */
export const langchain: Translation = {
  from: 'openai-chat',
  translate(messages, random) {
    const style = makeStyle(random)
    return messages.flatMap(message => {
      const written = isFields(message) ? translateOnce(message, style) : message
      return style.removes && random.chance(0.1) ? [written, remove(style)] : [written]
    })
  },
}

/** `made` has each message by what it was: a message that stands twice is the same both times. */
interface Style {
  random: Random
  form: 'flat' | 'stored' | 'constructor'
  namespace: string[]
  /** Where calls stand: in their own list, there and again as the provider had them, or only as the provider had them. */
  calls: 'listed' | 'with-raw' | 'with-blocks' | 'raw' | 'blocks'
  block: 'tool_use' | 'tool_call' | 'function_call'
  thinks: 'extras' | 'blocks'
  /** Whether thinking in the content has its proof, and calls stand after all that is said there. */
  signs: boolean
  sorts: boolean
  /** Whether content is written as blocks of LangChain's own, under their own name. */
  isV1: boolean
  removes: boolean
  isChunk: boolean
  marksErrors: boolean
  /** Whether a message has every field that its class has, as a store writes it. */
  isFull: boolean
  made: Map<string, unknown>
}

function makeStyle(random: Random): Style {
  return {
    random,
    form: random.pick(['flat', 'flat', 'stored', 'constructor']),
    namespace: random.pick([
      ['langchain_core', 'messages'],
      ['langchain', 'schema', 'messages'],
    ]),
    calls: random.pick([
      'listed',
      'listed',
      'listed',
      'with-raw',
      'with-raw',
      'with-blocks',
      'with-blocks',
      'raw',
      'blocks',
    ]),
    block: random.pick(['tool_use', 'tool_use', 'tool_call', 'function_call']),
    thinks: random.chance(0.8) ? 'extras' : 'blocks',
    signs: random.chance(0.8),
    sorts: random.chance(0.9),
    isV1: random.chance(0.15),
    removes: random.chance(0.1),
    isChunk: random.chance(0.1),
    marksErrors: random.chance(0.7),
    isFull: random.chance(0.6),
    made: new Map(),
  }
}

function remove({ form, namespace, random }: Style): Fields {
  const data = { id: random.id('run--'), content: [] }
  if (form === 'stored') return { type: 'remove', data }
  if (form === 'flat') return { type: 'remove', ...data }
  return { lc: 1, type: 'constructor', id: [...namespace, 'RemoveMessage'], kwargs: data }
}

function translateOnce(message: Fields, style: Style): unknown {
  const key = JSON.stringify(message)
  const known = style.made.get(key)
  if (known !== undefined) return structuredClone(known)
  const made = translateMessage(message, style)
  style.made.set(key, made)
  return made
}

/** A message whose role is no text stays as it is: there is no form for it. */
function translateMessage(message: Fields, style: Style): unknown {
  const { role, ...rest } = message
  if (typeof role !== 'string') return message
  const fields = writeFields(role, rest, style)
  const [type, name] = names.get(role) ?? [role, 'ChatMessage']
  if (style.form === 'stored') return { type, data: fields }
  if (style.form === 'constructor')
    return { lc: 1, type: 'constructor', id: [...style.namespace, withChunk(name, style)], kwargs: fields }
  return { type: type === 'ai' ? withChunk(type, style) : type, ...fields }
}

const names = new Map<string, [type: string, name: string]>([
  ['user', ['human', 'HumanMessage']],
  ['assistant', ['ai', 'AIMessage']],
  ['system', ['system', 'SystemMessage']],
  ['developer', ['system', 'SystemMessage']],
  ['tool', ['tool', 'ToolMessage']],
])

function withChunk(name: string, { isChunk }: Style): string {
  return isChunk ? `${name === 'ai' ? 'AIMessage' : name}Chunk` : name
}

function writeFields(role: string, message: Fields, style: Style): Fields {
  const { random, isFull } = style
  const { content, tool_calls, reasoning_content, refusal, annotations: _, ...rest } = message
  const extras: Fields = refusal === undefined ? {} : { refusal }
  const fields: Fields = 'content' in message ? { content, ...rest } : rest
  if (role === 'developer') extras.__openai_role__ = 'developer'
  if (role === 'assistant') writeAssistant(fields, extras, { content, tool_calls, reasoning_content }, style)
  else if (content === null && random.chance(0.5)) fields.content = ''
  if (role === 'tool') writeResult(fields, style)
  if (isFull || Object.keys(extras).length > 0) fields.additional_kwargs = extras
  if (isFull) fields.response_metadata = role === 'assistant' ? { model_name: 'a-model', finish_reason: 'stop' } : {}
  if (isFull || random.chance(0.3)) fields.id = random.chance(0.8) ? random.id('run--') : null
  if (random.chance(0.05)) fields.example = false
  return style.isV1 && random.chance(0.8) ? withBlocks(fields) : fields
}

/** The content under the name that it has when it was given as blocks; what are none stay where they are. */
function withBlocks({ content, ...fields }: Fields): Fields {
  const blocks = typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : content
  if (!Array.isArray(blocks) || blocks.length === 0) return content === undefined ? fields : { content, ...fields }
  const metadata = isFields(fields.response_metadata) ? fields.response_metadata : {}
  return {
    content_blocks: blocks.map(standardBlock),
    ...fields,
    response_metadata: { output_version: 'v1', ...metadata },
  }
}

function standardBlock(block: unknown): unknown {
  if (!isFields(block) || block.type !== 'image_url' || !isFields(block.image_url)) return block
  const { type: _, image_url, ...rest } = block
  return { type: 'image', ...rest, ...image_url }
}

function writeResult(fields: Fields, { random, marksErrors }: Style): void {
  const { content } = fields
  if (marksErrors && typeof content === 'string') fields.status = content.startsWith('Error: ') ? 'error' : 'success'
  if (random.chance(0.1)) fields.artifact = { rows: [random.int(9)], kept: null }
}

function writeAssistant(fields: Fields, extras: Fields, message: Fields, style: Style): void {
  const { random, isFull } = style
  const blocks = writeThoughts(extras, message, style)
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls : undefined
  if (calls && calls.length > 0) blocks.push(...writeCalls(fields, extras, calls, style))
  else if (isFull || calls) Object.assign(fields, { tool_calls: [], ...(isFull ? { invalid_tool_calls: [] } : {}) })
  if (calls && style.isChunk && isFull) fields.tool_call_chunks = calls.filter(isFields).map(writeChunk)
  if (isFull) fields.usage_metadata = { input_tokens: random.int(900), output_tokens: random.int(90) }
  const { content } = message
  const isNothing = content === null || content === undefined || content === ''
  if (blocks.length === 0) {
    if (content === null) fields.content = random.pick(['', '', '', []])
  } else if (isNothing) fields.content = blocks
  else if (typeof content === 'string') fields.content = around([{ type: 'text', text: content }], blocks, style)
  else if (Array.isArray(content)) fields.content = around(content, blocks, style)
}

/** Thoughts stand in front of what is said, calls after it. */
function around(said: unknown[], blocks: Fields[], { sorts }: Style): unknown[] {
  if (!sorts) return [...blocks, ...said]
  const isThought = ({ type }: Fields): boolean => type === 'thinking' || type === 'reasoning'
  return [...blocks.filter(isThought), ...said, ...blocks.filter(block => !isThought(block))]
}

function writeThoughts(extras: Fields, { content, reasoning_content: thought }: Fields, style: Style): Fields[] {
  if (thought === undefined) return []
  const isWritable = content === null || content === undefined || typeof content === 'string' || Array.isArray(content)
  if (style.thinks === 'blocks' && typeof thought === 'string' && isWritable) {
    if (style.isV1) return [{ type: 'reasoning', reasoning: thought }]
    const signature = style.signs ? { signature: style.random.id('Eq') } : {}
    return [{ type: 'thinking', thinking: thought, ...signature }]
  }
  extras.reasoning_content = thought
  return []
}

/** Gives back the blocks that stand for the calls in the content. */
function writeCalls(fields: Fields, extras: Fields, calls: unknown[], style: Style): Fields[] {
  const isListed = style.calls === 'listed' || style.calls.startsWith('with')
  if (isListed) writeLists(fields, calls, style)
  else if (style.isFull) fields.tool_calls = []
  if (style.calls === 'raw' || style.calls === 'with-raw') extras.tool_calls = calls
  if (style.calls !== 'blocks' && style.calls !== 'with-blocks') return []
  return calls.filter(isFields).map(call => writeBlock(call, style))
}

/** A call whose arguments are no JSON goes into the list of those that could not be read. */
function writeLists(fields: Fields, calls: unknown[], { random, isFull }: Style): void {
  const called: unknown[] = []
  const invalid: unknown[] = []
  for (const call of calls) {
    if (!isFields(call)) {
      called.push(call)
      continue
    }
    const { id, index } = call
    const { name, args, isCut } = readCall(call)
    const kept = { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { args }) }
    const known = { ...kept, ...('id' in call ? { id } : {}), ...(index === undefined ? {} : { index }) }
    if (isCut) invalid.push({ ...known, error: 'Malformed args.', type: 'invalid_tool_call' })
    else called.push(random.chance(0.9) ? { ...known, type: 'tool_call' } : known)
  }
  if (called.length > 0 || isFull) fields.tool_calls = called
  if (invalid.length > 0 || isFull) fields.invalid_tool_calls = invalid
}

function writeBlock(call: Fields, { block, isV1, random }: Style): Fields {
  const type = isV1 ? 'tool_call' : block
  const { name, args } = readCall(call)
  const [idKey, inputKey] = blockKeys[type]
  const input = type === 'function_call' ? (isFields(call.function) ? call.function.arguments : undefined) : args
  const written: Fields = { type }
  if ('id' in call) written[idKey] = call.id
  if (name !== undefined) written.name = name
  if (input !== undefined) written[inputKey] = input
  if (random.chance(0.1)) written.index = random.int(4)
  return written
}

const blockKeys = {
  tool_use: ['id', 'input'],
  tool_call: ['id', 'args'],
  function_call: ['call_id', 'arguments'],
} as const

function writeChunk(call: Fields, index: number): Fields {
  const { name, arguments: args } = isFields(call.function) ? call.function : {}
  return { name: name ?? null, args: args ?? null, id: call.id ?? null, index, type: 'tool_call_chunk' }
}

function readCall(call: Fields): { name: unknown; args: unknown; isCut: boolean } {
  const { name, arguments: args } = isFields(call.function) ? call.function : {}
  if (typeof args !== 'string') return { name, args, isCut: false }
  try {
    return { name, args: JSON.parse(args) ?? {}, isCut: false }
  } catch {
    return { name, args, isCut: true }
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
