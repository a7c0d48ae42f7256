/** What is said in one turn: six messages, each of 1 KiB as JSON in the openai-chat shape. */
export interface Script {
  input: string
  /** What the model gives back, as the SDK has it: two steps with a call, and the last words. */
  responses: Completion[]
  outputs: string[]
}

export interface Completion {
  id: string
  object: 'chat.completion'
  created: number
  model: string
  choices: { index: 0; finish_reason: 'tool_calls' | 'stop'; message: Answer }[]
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number }
}

export interface Answer {
  role: 'assistant'
  content: string
  tool_calls?: { id: string; type: 'function'; function: { name: string; arguments: string } }[]
}

export const messagesPerTurn = 6
export const bytesPerMessage = 1024
/** The bytes of what was said in a turn. */
export const payloadPerTurn = messagesPerTurn * bytesPerMessage

/** The turn of that number; the same number says the same. */
export function scriptOf(turn: number): Script {
  const ids = [1, 2].map(step => `call_${`${turn}x${step}`.padStart(24, '0')}`)
  return {
    input: filled(content => ({ role: 'user', content }), turn).content,
    responses: [...ids.map(id => completion(turn, id)), completion(turn)],
    outputs: ids.map(id => filled(content => ({ role: 'tool', tool_call_id: id, content }), turn).content),
  }
}

function completion(turn: number, callId?: string): Completion {
  const call = { type: 'function' as const, function: { name: 'search', arguments: '{"query":"what comes next"}' } }
  const message = filled<Answer>(
    content => ({ role: 'assistant', content, ...(callId && { tool_calls: [{ id: callId, ...call }] }) }),
    turn,
  )
  return {
    ...{ id: `chatcmpl-${turn}`, object: 'chat.completion', created: 1_700_000_000, model: 'bench-1' },
    choices: [{ index: 0, finish_reason: callId ? 'tool_calls' : 'stop', message }],
    usage: { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 },
  }
}

/** A message with as many words as make it 1 KiB long. */
function filled<Message extends { content: string }>(message: (content: string) => Message, turn: number): Message {
  const room = bytesPerMessage - JSON.stringify(message('')).length
  const from = (turn * 97) % (library.length - room)
  return message(library.slice(from, from + room))
}

const library = (() => {
  let state = 7
  const letter = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return 'etaoinshrdlucm wyfpvbgkjqxz '[(state >>> 16) % 28]
  }
  return Array.from({ length: 16_384 }, letter).join('')
})()
