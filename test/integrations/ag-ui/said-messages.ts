import type { Message } from '@ag-ui/client'
import type { Said } from '../fetch/failures.ts'

/** What was said, as an AG-UI client has it. */
export const toldMessages = (said: readonly Said[]): Message[] =>
  said.map((message, index): Message => {
    const id = `message-${index}`
    if (message.who === 'tool')
      return {
        ...{ id, role: 'tool', toolCallId: message.call, content: message.text },
        ...(message.isError ? { error: message.text } : {}),
      }
    if (message.who !== 'assistant') return { id, role: message.who, content: message.text }
    const { text, call } = message
    const toolCalls = call && [{ id: call, type: 'function' as const, function: { name: 'bash', arguments: '{}' } }]
    return {
      ...{ id, role: 'assistant' as const },
      ...(text === undefined ? {} : { content: text }),
      ...(toolCalls ? { toolCalls } : {}),
    }
  })
