import OpenAI from 'openai'
import type { ResponseInput, ResponseInputItem } from 'openai/resources/responses/responses'
import type { Said } from '../failures.ts'
import { type Client, drain, schema, tool } from './client.ts'

const connect = (baseURL: string, fetch: typeof globalThis.fetch) =>
  new OpenAI({ baseURL, apiKey: 'any', maxRetries: 0, logLevel: 'off', timeout: 120_000, fetch })

export const chatMessages = (messages: readonly Said[]): OpenAI.ChatCompletionMessageParam[] =>
  messages.map(message => {
    if (message.who === 'tool') return { role: 'tool', tool_call_id: message.call, content: message.text }
    if (message.who !== 'assistant') return { role: message.who, content: message.text }
    const { text = null, call } = message
    const calls = call && [{ id: call, type: 'function' as const, function: { name: tool, arguments: '{}' } }]
    return { role: 'assistant', content: text, ...(calls && { tool_calls: calls }) }
  })

const chat = (name: string, path: string, model: string, refused: Client['refused']): Client => ({
  name,
  refused,
  async ask({ url, messages, stream, fetch }) {
    const { completions } = connect(url + path, fetch).chat
    const request = { model, messages: chatMessages(messages) }
    if (!stream) return completions.create(request)
    return drain(await completions.create({ ...request, stream: true }))
  },
})

const pairing = ['orphan', 'split', 'interrupt', 'crash', 'unanswered'] as const

export const openaiChat = chat('openai chat', '/v1', 'gpt-5', pairing)
export const azureChat = chat('openai chat, at Azure', '/openai/deployments/mine', 'gpt-5', pairing)
export const vllmChat = chat('openai chat, at a local vLLM', '/vllm/v1', 'qwen3.5-27b', ['system'])
export const deepseekChat = chat('openai chat, at DeepSeek', '/deepseek/v1', 'deepseek-chat', [
  ...(['orphan', 'split', 'interrupt', 'unanswered'] as const),
])

function items(messages: readonly Said[]): ResponseInput {
  return messages.flatMap((message): ResponseInputItem[] => {
    if (message.who === 'tool') return [{ type: 'function_call_output', call_id: message.call, output: message.text }]
    if (message.who !== 'assistant') return [{ role: message.who, content: message.text }]
    const { text, call } = message
    return [
      ...(text === undefined ? [] : [{ role: 'assistant' as const, content: text }]),
      ...(call === undefined ? [] : [{ type: 'function_call' as const, call_id: call, name: tool, arguments: '{}' }]),
    ]
  })
}

export const openaiResponses: Client = {
  name: 'openai responses',
  refused: ['orphan', 'unanswered'],
  async ask({ url, messages, stream, fetch }) {
    const { responses } = connect(`${url}/v1`, fetch)
    const tools = [{ type: 'function' as const, name: tool, parameters: schema, strict: false }]
    const request = { model: 'gpt-5', input: items(messages), tools }
    return stream ? drain(await responses.create({ ...request, stream: true })) : responses.create(request)
  },
}
