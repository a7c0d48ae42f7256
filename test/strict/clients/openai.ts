import OpenAI from 'openai'
import type { ResponseInput } from 'openai/resources/responses/responses'
import { type Client, loop, schema } from './client.ts'

const connect = (url: string) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any', maxRetries: 0, logLevel: 'off', timeout: 120_000 })

const isError: Client['isError'] = (error, status) => {
  if (status === 429) return error instanceof OpenAI.RateLimitError
  if (status !== undefined) return error instanceof OpenAI.APIError && error.status === status
  return error instanceof OpenAI.APIError
}

export const openaiChat: Client = {
  name: 'openai chat',
  isError,
  converse(url, talk) {
    const client = connect(url)
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: talk.prompt }]
    const tools = talk.tools.map(name => ({ type: 'function' as const, function: { name, parameters: schema } }))
    return loop(talk, async results => {
      messages.push(
        ...results.map(({ call, text }) => ({ role: 'tool' as const, tool_call_id: call.id, content: text })),
      )
      const request = { model: 'gpt-5', messages, ...(tools.length > 0 && { tools }) }
      const completion = talk.stream
        ? await client.chat.completions.stream(request).finalChatCompletion()
        : await client.chat.completions.create(request)
      const [{ message }] = completion.choices
      messages.push(message)
      const calls = (message.tool_calls ?? []).flatMap(call =>
        call.type === 'function'
          ? [{ id: call.id, name: call.function.name, input: JSON.parse(call.function.arguments) }]
          : [],
      )
      return { text: message.content ?? '', calls }
    })
  },
}

/** Sends only what is new, and leaves the rest to the server. */
export const openaiResponses: Client = {
  name: 'openai responses',
  isError,
  converse(url, talk) {
    const client = connect(url)
    const tools = talk.tools.map(name => ({ type: 'function' as const, name, parameters: schema, strict: false }))
    let input: ResponseInput = [{ role: 'user', content: talk.prompt }]
    let previous: string | undefined
    return loop(talk, async results => {
      if (results.length > 0)
        input = results.map(({ call, text }) => ({ type: 'function_call_output', call_id: call.id, output: text }))
      const request = { model: 'gpt-5', input, tools, ...(previous && { previous_response_id: previous }) }
      const response = talk.stream
        ? await client.responses.stream(request).finalResponse()
        : await client.responses.create(request)
      previous = response.id
      const calls = response.output.flatMap(item =>
        item.type === 'function_call' ? [{ id: item.call_id, name: item.name, input: JSON.parse(item.arguments) }] : [],
      )
      return { text: response.output_text, calls }
    })
  },
}
