import type { Answer, Call, Fields, Plan, Search, Step, Turn, Wire } from '../plan.ts'
import type { Random } from '../random.ts'

const serverTypes = new Set(['server_tool_use', 'web_search_tool_result', 'mcp_tool_use', 'mcp_tool_result'])

export const anthropic: Wire = {
  codec: 'anthropic',
  write,
  parts: {
    call: { list: 'content', is: block => block.type === 'tool_use' },
    result: { list: 'content', is: isResult },
    reasoning: { list: 'content', is: block => block.type === 'thinking' || block.type === 'redacted_thinking' },
    server: { list: 'content', is: block => serverTypes.has(String(block.type)) },
  },
  callIdKey: 'id',
  resultIdKey: 'tool_use_id',
  callMessage: call => ({ role: 'assistant', content: [call] }),
  resultMessage: result => ({ role: 'user', content: [result] }),
  resultSaying: (result, text, isError) => ({ ...result, content: text, is_error: isError }),
  argumentsOf: call => JSON.stringify(call.input),
  withArguments: (call, value) => ({ ...call, input: value }),
  withName: (call, name) => ({ ...call, name }),
  say: (role, text) => ({ role, content: text }),
  isUser: message => message.role === 'user' && !(Array.isArray(message.content) && message.content.some(isResult)),
  isAssistant: message => message.role === 'assistant',
}

function isResult(block: Fields | null): boolean {
  return block?.type === 'tool_result'
}

/** Without the system text, which stands outside of the messages, and without an answer at the end: that is a prefill. */
function write(plan: Plan, random: Random): Fields[] {
  const messages: Fields[] = []
  for (const turn of plan.turns) {
    messages.push(writeInput(turn, random))
    for (const step of turn.steps) messages.push(writeCalls(step, random), writeResults(step, random))
    if (turn.answer && turn !== plan.turns.at(-1)) messages.push(writeAnswer(turn.answer, random))
  }
  return messages
}

function writeInput(turn: Turn, random: Random): Fields {
  if (turn.image !== undefined)
    return { role: 'user', content: [imageBlock(turn.image), textBlock(turn.input, random)] }
  return { role: 'user', content: random.chance(0.5) ? turn.input : [textBlock(turn.input, random)] }
}

function writeCalls(step: Step, random: Random): Fields {
  const content = writeThoughts(step.reasoning, random)
  if (step.text !== undefined) content.push(textBlock(step.text, random))
  if (step.search) content.push(...writeSearch(step.search, random))
  for (const call of step.calls) {
    content.push({ type: 'tool_use', id: `toolu_${call.id}`, name: call.name, input: call.input })
  }
  return { role: 'assistant', content }
}

function writeResults(step: Step, random: Random): Fields {
  const content = step.answered.map(call => writeResult(call, random))
  if (step.note !== undefined) content.push(textBlock(step.note, random))
  return { role: 'user', content }
}

function writeResult({ id, result }: Call, random: Random): Fields {
  const block: Fields = { type: 'tool_result', tool_use_id: `toolu_${id}` }
  if (result.image !== undefined) block.content = [textBlock(result.text, random), imageBlock(result.image)]
  else if (result.text !== '') block.content = random.chance(0.5) ? result.text : [textBlock(result.text, random)]
  else if (random.chance(0.5)) block.content = ''
  if (result.isError) block.is_error = true
  else if (random.chance(0.2)) block.is_error = false
  return block
}

function writeAnswer(answer: Answer, random: Random): Fields {
  const content = writeThoughts(answer.reasoning, random)
  if (answer.search) content.push(...writeSearch(answer.search, random))
  if (content.length === 0 && random.chance(0.5)) return { role: 'assistant', content: answer.text }
  content.push(textBlock(answer.text, random))
  return { role: 'assistant', content }
}

function writeThoughts(reasoning: string | undefined, random: Random): Fields[] {
  if (reasoning === undefined) return []
  const thinking = { type: 'thinking', thinking: reasoning, signature: random.id('Eq') }
  return random.chance(0.1) ? [thinking, { type: 'redacted_thinking', data: random.id('Em') }] : [thinking]
}

function writeSearch({ query, found }: Search, random: Random): Fields[] {
  if (random.chance(0.3)) {
    const id = random.id('mcptoolu_')
    return [
      { type: 'mcp_tool_use', id, name: 'lookup', server_name: 'library', input: { query } },
      { type: 'mcp_tool_result', tool_use_id: id, is_error: false, content: [{ type: 'text', text: found }] },
    ]
  }
  const id = random.id('srvtoolu_')
  const page = {
    type: 'web_search_result',
    title: found,
    url: 'https://example.test',
    encrypted_content: random.id('Eb'),
  }
  return [
    { type: 'server_tool_use', id, name: 'web_search', input: { query } },
    { type: 'web_search_tool_result', tool_use_id: id, content: [page] },
  ]
}

function textBlock(text: string, random: Random): Fields {
  return random.chance(0.05) ? { type: 'text', text, cache_control: { type: 'ephemeral' } } : { type: 'text', text }
}

function imageBlock(url: string): Fields {
  return { type: 'image', source: { type: 'url', url } }
}
