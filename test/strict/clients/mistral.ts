import { Mistral } from '@mistralai/mistralai'
import type { ChatCompletionRequest, ToolCall } from '@mistralai/mistralai/models/components'
import { MistralError } from '@mistralai/mistralai/models/errors'
import { type Client, loop, schema } from './client.ts'

export const mistral: Client = {
  name: 'mistral',
  isError: (error, status) => error instanceof MistralError && (status === undefined || error.statusCode === status),
  converse(url, talk) {
    const client = new Mistral({ serverURL: `${url}/mistral`, apiKey: 'any', retryConfig: { strategy: 'none' } })
    const messages: ChatCompletionRequest['messages'] = [{ role: 'user', content: talk.prompt }]
    const tools = talk.tools.map(name => ({ type: 'function' as const, function: { name, parameters: schema } }))
    return loop(talk, async results => {
      messages.push(...results.map(({ call, text }) => ({ role: 'tool' as const, toolCallId: call.id, content: text })))
      const request = { model: 'mistral-large-latest', messages, ...(tools.length > 0 && { tools }) }
      let text = ''
      const toolCalls: ToolCall[] = []
      const take = (content: unknown, calls: ToolCall[] | null | undefined) => {
        text += typeof content === 'string' ? content : ''
        toolCalls.push(...(calls ?? []))
      }
      if (talk.stream)
        for await (const { data } of await client.chat.stream(request))
          take(data.choices[0]?.delta.content, data.choices[0]?.delta.toolCalls)
      else {
        const { choices } = await client.chat.complete(request)
        take(choices[0].message?.content, choices[0].message?.toolCalls)
      }
      messages.push({ role: 'assistant', content: text, toolCalls })
      const calls = toolCalls.map(call => ({
        id: call.id ?? '',
        name: call.function.name,
        input: JSON.parse(String(call.function.arguments)),
      }))
      return { text, calls }
    })
  },
}
