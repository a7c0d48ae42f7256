import { type Cohere, CohereClientV2 } from 'cohere-ai'
import { type Client, drain, tool } from './client.ts'

export const cohere: Client = {
  name: 'cohere',
  refused: ['split', 'interrupt', 'unanswered'],
  async ask({ url, messages, stream, fetch }) {
    const client = new CohereClientV2({ token: 'any', baseUrl: `${url}/cohere`, maxRetries: 0, fetch })
    const said = messages.map((message): Cohere.ChatMessageV2 => {
      if (message.who === 'tool') return { role: 'tool', toolCallId: message.call, content: message.text }
      if (message.who !== 'assistant') return { role: message.who, content: message.text }
      const { text, call } = message
      const toolCalls = call && [{ id: call, type: 'function' as const, function: { name: tool, arguments: '{}' } }]
      return { role: 'assistant', ...(text && { content: text }), ...(toolCalls && { toolCalls }) }
    })
    const request = { model: 'command-a-03-2025', messages: said }
    return stream ? drain(await client.chatStream(request)) : client.chat(request)
  },
}
