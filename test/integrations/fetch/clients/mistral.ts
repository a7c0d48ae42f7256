import { Mistral } from '@mistralai/mistralai'
import { HTTPClient } from '@mistralai/mistralai/lib/http'
import type { ChatCompletionRequest } from '@mistralai/mistralai/models/components'
import { type Client, drain, tool } from './client.ts'

export const mistral: Client = {
  name: 'mistral',
  refused: ['orphan', 'split', 'interrupt', 'system', 'crash', 'unanswered'],
  async ask({ url, messages, stream, fetch }) {
    const httpClient = new HTTPClient({ fetcher: fetch })
    const retryConfig = { strategy: 'none' as const }
    const client = new Mistral({ serverURL: `${url}/mistral`, apiKey: 'any', retryConfig, httpClient })
    const said: ChatCompletionRequest['messages'] = messages.map(message => {
      if (message.who === 'tool') return { role: 'tool', toolCallId: message.call, content: message.text }
      if (message.who !== 'assistant') return { role: message.who, content: message.text }
      const { text = '', call } = message
      const toolCalls = call && [{ id: call, function: { name: tool, arguments: '{}' } }]
      return { role: 'assistant', content: text, ...(toolCalls && { toolCalls }) }
    })
    const request = { model: 'mistral-large-latest', messages: said }
    return stream ? drain(await client.chat.stream(request)) : client.chat.complete(request)
  },
}
