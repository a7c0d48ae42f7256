import type { Answer, Call, Fields, Plan, Step, Turn, Wire } from '../plan.ts'
import type { Random } from '../random.ts'

export const openaiChat: Wire = {
  codec: 'openai-chat',
  write,
  parts: {
    call: { list: 'tool_calls', is: () => true },
    result: { is: message => message.role === 'tool' },
  },
  callIdKey: 'id',
  resultIdKey: 'tool_call_id',
  callMessage: call => ({ role: 'assistant', content: null, tool_calls: [call] }),
  resultMessage: result => result,
  resultSaying: (result, text) => ({ ...result, content: text }),
  argumentsOf: call => {
    const body = call.function as Fields | undefined
    return typeof body?.arguments === 'string' ? body.arguments : undefined
  },
  withArguments: (call, value) => ({ ...call, function: { ...(call.function as Fields), arguments: value } }),
  withName: (call, name) => ({ ...call, function: { ...(call.function as Fields), name } }),
  say: (role, text) => ({ role, content: text }),
  isUser: message => message.role === 'user',
  isAssistant: message => message.role === 'assistant',
}

function write(plan: Plan, random: Random): Fields[] {
  const messages: Fields[] = []
  if (plan.system !== undefined) {
    messages.push({ role: random.chance(0.25) ? 'developer' : 'system', content: plan.system })
  }
  for (const turn of plan.turns) {
    messages.push(writeInput(turn, random))
    for (const step of turn.steps) writeStep(messages, step, random)
    if (turn.answer) messages.push(writeAnswer(turn.answer, random))
  }
  return messages
}

function writeInput(turn: Turn, random: Random): Fields {
  const message: Fields = { role: 'user', content: writeText(turn.input, random) }
  if (turn.image !== undefined) {
    const image = { type: 'image_url', image_url: { url: turn.image } }
    message.content = random.chance(0.5) ? [textPart(turn.input), image] : [image, textPart(turn.input)]
  }
  if (random.chance(0.1)) message.name = 'alice'
  if (random.chance(0.05)) message.metadata = { trace: random.id('tr_'), at: 1_760_000_000 }
  return message
}

function writeStep(messages: Fields[], step: Step, random: Random): void {
  const message: Fields = { role: 'assistant', content: random.chance(0.2) ? '' : null }
  if (step.text !== undefined) message.content = writeText(step.text, random)
  if (step.reasoning !== undefined) message.reasoning_content = step.reasoning
  if (random.chance(0.2)) message.refusal = null
  message.tool_calls = step.calls.map((call, index) => writeCall(call, index, random))
  messages.push(message)
  for (const call of step.answered) messages.push(writeResult(call, random))
  if (step.note !== undefined) messages.push({ role: 'user', content: step.note })
}

function writeAnswer(answer: Answer, random: Random): Fields {
  const message: Fields = { role: 'assistant', content: writeText(answer.text, random) }
  if (answer.reasoning !== undefined) message.reasoning_content = answer.reasoning
  if (random.chance(0.2)) message.annotations = []
  return message
}

function writeCall(call: Call, index: number, random: Random): Fields {
  const written: Fields = {
    id: `call_${call.id}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  }
  if (random.chance(0.1)) written.index = index
  return written
}

function writeResult(call: Call, random: Random): Fields {
  const { text } = call.result
  const content = text === '' ? '' : writeText(text, random)
  const message: Fields = { role: 'tool', tool_call_id: `call_${call.id}`, content }
  if (random.chance(0.3)) message.name = call.name
  return message
}

function writeText(text: string, random: Random): unknown {
  return random.chance(0.12) ? [textPart(text)] : text
}

function textPart(text: string): Fields {
  return { type: 'text', text }
}
