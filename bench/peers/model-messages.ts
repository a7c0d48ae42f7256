import type { Call, Message } from '../histories.ts'
import { resultNames } from '../subject.ts'

/** The AI SDK's model messages, which @mastra/core speaks too. */
export interface ModelMessage {
  role: Message['role']
  content: string | Part[]
}

type Part =
  | { type: 'text'; text: string }
  | { type: 'tool-call'; toolCallId: string; toolName: string; input: unknown }
  | { type: 'tool-result'; toolCallId: string; toolName: string; output: { type: string; value: unknown } }

export function encode(history: Message[]): ModelMessage[] {
  const nameOf = resultNames(history)
  return history.map(message => {
    if (message.role === 'tool') {
      const toolCallId = message.tool_call_id ?? ''
      const output = { type: 'text', value: message.content ?? '' }
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: nameOf(message), output }] }
    }
    if (message.content && message.tool_calls === undefined) return { role: message.role, content: message.content }
    const words: Part[] = message.content ? [{ type: 'text', text: message.content }] : []
    return { role: message.role, content: [...words, ...(message.tool_calls ?? []).map(encodeCall)] }
  })
}

export function decode(messages: ModelMessage[]): Message[] {
  return messages.flatMap(({ role, content }): Message[] => {
    if (typeof content === 'string') return [{ role, content }]
    if (role === 'tool') return content.flatMap(part => (part.type === 'tool-result' ? [decodeResult(part)] : []))
    const words = content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('')
    const calls = content.flatMap(part => (part.type === 'tool-call' ? [decodeCall(part)] : []))
    return [calls.length > 0 ? { role, content: words || null, tool_calls: calls } : { role, content: words }]
  })
}

/** Arguments that do not parse stay the text they are, as the AI SDK itself keeps them. */
function encodeCall(call: Call): Part {
  const shared = { type: 'tool-call', toolCallId: call.id, toolName: call.function.name } as const
  try {
    return { ...shared, input: JSON.parse(call.function.arguments) as unknown }
  } catch {
    return { ...shared, input: call.function.arguments }
  }
}

function decodeCall({ toolCallId, toolName, input }: Extract<Part, { type: 'tool-call' }>): Call {
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  return { id: toolCallId, type: 'function', function: { name: toolName, arguments: text } }
}

function decodeResult({ toolCallId, output }: Extract<Part, { type: 'tool-result' }>): Message {
  const content = typeof output.value === 'string' ? output.value : JSON.stringify(output.value)
  return { role: 'tool', tool_call_id: toolCallId, content }
}
