import type { Said } from '../fetch/failures.ts'
import { tool } from './version.ts'

/** A history as both versions of the library have it. */
export const modelMessages = (messages: readonly Said[]) => messages.map(modelMessage)

function modelMessage(message: Said) {
  if (message.who === 'tool') {
    const output = { type: message.isError ? ('error-text' as const) : ('text' as const), value: message.text }
    const result = { type: 'tool-result' as const, toolCallId: message.call, toolName: tool, output }
    return { role: 'tool' as const, content: [result] }
  }
  if (message.who !== 'assistant') return { role: message.who, content: message.text }
  const { text, call } = message
  return {
    role: 'assistant' as const,
    content: [
      ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
      ...(call === undefined ? [] : [{ type: 'tool-call' as const, toolCallId: call, toolName: tool, input: {} }]),
    ],
  }
}
