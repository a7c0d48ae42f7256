import type { Fields, Translation } from '../plan.ts'
import type { Random } from '../random.ts'

/** Model messages of the AI SDK: what stood in fields of a message stands in the parts of its content. */
export const aiSdk: Translation = {
  from: 'openai-chat',
  translate(messages, random) {
    const style: Style = { isOld: random.chance(0.06), merges: random.chance(0.5), isPlain: random.chance(0.5), random }
    const written = withSearches(mergeResults(writeAll(messages, style), style), style)
    return withApprovals(written, random)
  },
}

/** One history is written by one version, and by one hand. */
interface Style {
  /** Version 4 had other names for what a call asks and what a result says. */
  isOld: boolean
  /** The results of a step share a message. */
  merges: boolean
  /** Words are a text rather than a list of one part. */
  isPlain: boolean
  random: Random
}

function writeAll(messages: readonly unknown[], style: Style): unknown[] {
  const names = new Map<unknown, unknown>()
  return messages.map(message => {
    if (!isFields(message)) return message
    for (const call of Array.isArray(message.tool_calls) ? message.tool_calls : [])
      if (isFields(call) && isFields(call.function)) names.set(call.id, call.function.name)
    return writeMessage(message, names, style)
  })
}

function writeMessage(message: Fields, names: ReadonlyMap<unknown, unknown>, style: Style): unknown {
  const { role, content, name, tool_calls, tool_call_id, function_call, reasoning_content, refusal, ...rest } = message
  const said = 'content' in message ? { content } : {}
  switch (role) {
    case 'system':
    case 'developer':
      return { ...rest, role: 'system', ...('content' in message ? { content: writeSystem(content) } : {}) }
    case 'user':
      return { ...rest, role, ...('content' in message ? { content: writeUser(content, style) } : {}) }
    case 'assistant':
      return writeAssistant(message, rest, style, names)
    case 'tool':
      return { ...rest, role, content: [writeResult(message, names, style)] }
    default:
      return 'role' in message ? { ...rest, role, ...said } : { ...rest, ...said }
  }
}

function writeSystem(content: unknown): unknown {
  const isText = Array.isArray(content) && content.every(block => isFields(block) && typeof block.text === 'string')
  return isText ? content.map(block => (block as { text: string }).text).join('\n') : content
}

function writeUser(content: unknown, { isPlain, random }: Style): unknown {
  if (typeof content === 'string') return isPlain ? content : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.map(block => writeBlock(block, random)) : content
}

function writeBlock(block: unknown, random: Random): unknown {
  if (!isFields(block) || block.type !== 'image_url' || !isFields(block.image_url)) return block
  const { url } = block.image_url
  return random.chance(0.5) ? { type: 'image', image: url } : { type: 'file', data: url, mediaType: 'image/png' }
}

function writeAssistant(message: Fields, rest: Fields, style: Style, names: ReadonlyMap<unknown, unknown>): Fields {
  const { content, tool_calls, tool_call_id, function_call, reasoning_content, refusal } = message
  const { isPlain, random } = style
  if (typeof tool_call_id === 'string' && tool_call_id !== '' && !tool_calls)
    return { ...rest, role: 'assistant', content: [writeResult(message, names, style)] }
  const parts: unknown[] = []
  if (typeof reasoning_content === 'string') parts.push({ type: 'reasoning', text: reasoning_content })
  if (typeof content === 'string' && (content !== '' || random.chance(0.05)))
    parts.push({ type: 'text', text: content })
  else if (Array.isArray(content)) parts.push(...content)
  if (typeof refusal === 'string' && refusal !== '') parts.push({ type: 'text', text: refusal })
  const isBare = parts.length === (typeof content === 'string' ? 1 : 0)
  const calls = Array.isArray(tool_calls) ? tool_calls : []
  for (const call of isFields(function_call) ? [...calls, { function: function_call }] : calls)
    parts.push(isFields(call) ? writeCall(call, style) : call)
  const written: Fields = { ...rest, role: 'assistant' }
  if (parts.length > 0 && !(isBare && isPlain && parts.length === 1 && typeof content === 'string')) {
    written.content = parts
  } else if ('content' in message) written.content = content
  else if (calls.length > 0) written.content = parts
  if (random.chance(0.05)) written.providerOptions = { acme: { cache: random.id('c_') } }
  return written
}

function writeCall(call: Fields, { isOld, random }: Style): Fields {
  const called = isFields(call.function) ? call.function : {}
  const part: Fields = { type: 'tool-call' }
  if ('id' in call) part.toolCallId = call.id
  if ('name' in called) part.toolName = called.name
  if ('arguments' in called) part[isOld ? 'args' : 'input'] = parsed(called.arguments)
  if (random.chance(0.05)) part.providerOptions = { acme: { item: random.id('fc_') } }
  return part
}

function writeResult(message: Fields, names: ReadonlyMap<unknown, unknown>, style: Style): Fields {
  const { content, name, tool_call_id } = message
  const part: Fields = { type: 'tool-result' }
  if ('tool_call_id' in message) part.toolCallId = tool_call_id
  const known = names.get(tool_call_id) ?? name
  if (known !== undefined) part.toolName = known
  if ('content' in message)
    part[style.isOld ? 'result' : 'output'] = style.isOld ? content : writeOutput(content, style)
  if (style.random.chance(0.03)) part.providerOptions = { acme: { seen: true } }
  return part
}

function writeOutput(content: unknown, { random }: Style): unknown {
  if (Array.isArray(content))
    return { type: 'content', value: content.map(block => (isFields(block) ? writeBlock(block, random) : block)) }
  if (typeof content !== 'string') return content === null ? { type: 'json', value: null } : content
  const value = parsed(content)
  if (typeof value !== 'string') return { type: 'json', value }
  return { type: content.startsWith('Error') ? 'error-text' : 'text', value: content }
}

/** Tool messages that follow each other become one. */
function mergeResults(messages: readonly unknown[], { merges, random }: Style): unknown[] {
  const merged: unknown[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    const [before, next] = [partsOf(last, 'tool'), partsOf(message, 'tool')]
    if (merges && before && next && random.chance(0.9))
      merged.splice(-1, 1, { ...(last as Fields), content: [...before, ...next] })
    else merged.push(message)
  }
  return merged
}

/** Now and then the provider searched by itself, and now and then its answer came one step later. */
function withSearches(messages: readonly unknown[], { random, isOld }: Style): unknown[] {
  if (isOld || random.chance(0.8)) return [...messages]
  let deferred: Fields | undefined
  return messages.map((message, index) => {
    const parts = partsOf(message, 'assistant')
    if (isFields(message) && (message.role === 'user' || message.role === 'system')) deferred = undefined
    if (!parts || parts.length === 0) return message
    const lead: Fields[] = deferred ? [deferred] : []
    deferred = undefined
    if (random.chance(0.3)) {
      const { call, result } = search(random)
      lead.push(call)
      if (goesOn(messages, index) && random.chance(0.3)) deferred = result
      else lead.push(result)
    }
    return lead.length === 0 ? message : { ...(message as Fields), content: [...lead, ...parts] }
  })
}

/** A search by one of three providers, as their packages write it. */
function search(random: Random): { call: Fields; result: Fields } {
  const query = random.id('q_')
  const found = random.id('t_')
  const [id, value, options]: [string, unknown, Fields] = random.pick([
    [
      random.id('srvtoolu_'),
      [{ type: 'web_search_result', url: 'https://example.test', title: found, pageAge: null, encryptedContent: 'Eq' }],
      {},
    ],
    [random.id('ws_'), { action: { type: 'search', query: found } }, {}],
    [random.id(''), { found }, { providerOptions: { google: { serverToolCallId: 's1', serverToolType: 'SEARCH' } } }],
  ])
  const named = { toolCallId: id, toolName: 'web_search', ...options }
  return {
    call: { type: 'tool-call', ...named, input: { query }, providerExecuted: true },
    result: { type: 'tool-result', ...named, output: { type: 'json', value } },
  }
}

/** Whether another assistant message of parts follows, before anybody but tools has spoken. */
function goesOn(messages: readonly unknown[], index: number): boolean {
  const next = messages.slice(index + 1).find(message => !partsOf(message, 'tool'))
  return (partsOf(next, 'assistant')?.length ?? 0) > 0
}

/** Some calls waited for an approval. In a history that is broken anyway approvals are asked for and given anyhow. */
function withApprovals(messages: unknown[], random: Random): unknown[] {
  if (random.chance(0.6)) return messages
  return isSound(messages) ? approve(messages, random) : scatter(messages, random)
}

/** Approvals that were granted in front of the result, or at the very end, where the call is about to run. */
function approve(messages: readonly unknown[], random: Random): unknown[] {
  const written = [...messages]
  for (let at = 0; at + 1 < messages.length; at++) {
    const parts = partsOf(messages[at], 'assistant') ?? []
    const results = partsOf(messages[at + 1], 'tool') ?? []
    const call = parts.find(isCall)
    const place = results.findIndex(part => (part as Fields).toolCallId === call?.toolCallId)
    if (!call || place < 0 || random.chance(0.8)) continue
    const { request, answer } = approval(random.id('ap_'), call.toolCallId, true)
    const isOpen = at + 2 === messages.length && random.chance(0.5)
    const kept = isOpen ? results.toSpliced(place, 1) : results
    written[at] = { ...(messages[at] as Fields), content: [...parts, request] }
    const content = random.chance(0.5) ? [answer, ...kept] : [...kept, answer]
    written[at + 1] = { ...(messages[at + 1] as Fields), content }
  }
  return written
}

/** Few ids, and whatever stands in the message; now and then the provider is said to have run a call. */
function scatter(messages: readonly unknown[], random: Random): unknown[] {
  const ids = [random.id('ap_'), random.id('ap_'), random.id('ap_')]
  return messages.map(message => {
    const content = partsOf(message, 'assistant') ?? partsOf(message, 'tool')
    if (!content || random.chance(0.4)) return message
    const { role } = message as Fields
    const asked = content.find(isFields)?.toolCallId
    const { request, answer } = approval(random.pick(ids), asked, random.chance(0.5))
    const parts = content.map(part =>
      isCall(part) && random.chance(0.05) ? { ...part, providerExecuted: true } : part,
    )
    parts.splice(random.range(0, parts.length), 0, role === 'tool' ? answer : request)
    return { ...(message as Fields), content: parts }
  })
}

const approval = (approvalId: string, toolCallId: unknown, approved: boolean): { request: Fields; answer: Fields } => ({
  request: { type: 'tool-approval-request', approvalId, toolCallId },
  answer: { type: 'tool-approval-response', approvalId, approved },
})

const isCall = (part: unknown): part is Fields =>
  isFields(part) && part.type === 'tool-call' && part.providerExecuted !== true

/** Whether every call has its one result after it, and every result its call. */
function isSound(messages: readonly unknown[]): boolean {
  let open: unknown[] = []
  for (const message of messages) {
    if (!isFields(message)) return false
    const parts = partsOf(message, 'tool')
    if (!parts && open.length > 0) return false
    if (!parts) open = (partsOf(message, 'assistant') ?? []).filter(isCall).map(call => call.toolCallId)
    for (const part of parts ?? []) {
      const place = open.indexOf(isFields(part) ? part.toolCallId : undefined)
      if (place < 0 || open[place] === undefined) return false
      open.splice(place, 1)
    }
  }
  return open.length === 0
}

function partsOf(message: unknown, role: string): unknown[] | undefined {
  return isFields(message) && message.role === role && Array.isArray(message.content) ? message.content : undefined
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    const found: unknown = JSON.parse(value)
    return typeof found === 'object' && found !== null ? found : value
  } catch {
    return value
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
