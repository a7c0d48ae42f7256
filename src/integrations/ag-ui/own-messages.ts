import type { Message } from '@ag-ui/core'

/** What a client has for itself: instructions, which the model may get from it or not, and a greeting in front of everything. */
export function ownMessages(messages: readonly Message[]): Message[] {
  const first = messages.findIndex(({ role }) => role === 'user')
  return messages.filter((message, index) => {
    if (message.role === 'system' || message.role === 'developer') return true
    return message.role === 'assistant' && !message.toolCalls && index < first
  })
}
