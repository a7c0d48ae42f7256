import { AIMessage, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import type { Said } from '../fetch/failures.ts'

/** What was said, as objects of LangChain's classes. */
export const messagesOf = (said: readonly Said[]): BaseMessage[] =>
  said.map(message => {
    if (message.who === 'system') return new SystemMessage(message.text)
    if (message.who === 'user') return new HumanMessage(message.text)
    if (message.who === 'tool')
      return new ToolMessage({
        ...{ content: message.text, tool_call_id: message.call, name: 'bash' },
        ...(message.isError ? { status: 'error' as const } : {}),
      })
    const { text = '', call } = message as Extract<Said, { who: 'assistant' }>
    return new AIMessage({ content: text, tool_calls: call ? [{ id: call, name: 'bash', args: {} }] : [] })
  })
