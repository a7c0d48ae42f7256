import Anthropic from '@anthropic-ai/sdk'
import { type Client, loop, schema } from './client.ts'

export const anthropic: Client = {
  name: 'anthropic',
  isError(error, status) {
    if (status === 429) return error instanceof Anthropic.RateLimitError
    if (status !== undefined) return error instanceof Anthropic.APIError && error.status === status
    return error instanceof Anthropic.APIError
  },
  converse(url, talk) {
    const client = new Anthropic({ baseURL: url, apiKey: 'any', maxRetries: 0, logLevel: 'off', timeout: 120_000 })
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: talk.prompt }]
    const tools = talk.tools.map(name => ({ name, input_schema: schema }))
    return loop(talk, async results => {
      if (results.length > 0)
        messages.push({
          role: 'user',
          content: results.map(({ call, text }) => ({ type: 'tool_result', tool_use_id: call.id, content: text })),
        })
      const request = { model: 'claude-opus-4-5', max_tokens: 100, messages, ...(tools.length > 0 && { tools }) }
      const { content } = talk.stream
        ? await client.messages.stream(request).finalMessage()
        : await client.messages.create(request)
      messages.push({ role: 'assistant', content })
      const calls = content.flatMap(block =>
        block.type === 'tool_use' ? [{ id: block.id, name: block.name, input: block.input }] : [],
      )
      return { text: content.map(block => (block.type === 'text' ? block.text : '')).join(''), calls }
    })
  },
}
