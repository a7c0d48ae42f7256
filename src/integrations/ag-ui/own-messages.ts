import type { Message } from '@ag-ui/core'

/** Messages that exist only in the client: its instructions, and greetings of the assistant before the first user message. */
export function ownMessages(messages: readonly Message[]): Message[] {
  const first = messages.findIndex(({ role }) => role === 'user')
  return messages.filter((message, index) => {
    if (message.role === 'system' || message.role === 'developer') return true
    return message.role === 'assistant' && !message.toolCalls && index < first
  })
}
