import Anthropic from '@anthropic-ai/sdk'
import type { Said } from '../failures.ts'
import { type Client, drain, schema, tool } from './client.ts'

/** Neighbouring results share a message, as the library's users write them. */
export function anthropicMessages(messages: readonly Said[]): Anthropic.MessageParam[] {
  const list: { role: 'user' | 'assistant'; content: string | Anthropic.ContentBlockParam[] }[] = []
  for (const [index, message] of messages.entries()) {
    const before = messages[index - 1]?.who === 'tool' ? list.at(-1)?.content : undefined
    const blocks = blocksOf(message)
    if (message.who === 'tool' && Array.isArray(before)) before.push(...blocks)
    else if (message.who === 'tool') list.push({ role: 'user', content: blocks })
    else if (message.who === 'assistant') list.push({ role: 'assistant', content: blocks })
    else list.push({ role: message.who as 'user', content: message.text })
  }
  return list
}

function blocksOf(message: Said): Anthropic.ContentBlockParam[] {
  if (message.who === 'tool') {
    const { call, text, isError = false } = message
    return [{ type: 'tool_result', tool_use_id: call, content: text, is_error: isError }]
  }
  const { text, call } = { call: undefined, ...message }
  return [
    ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
    ...(call === undefined ? [] : [{ type: 'tool_use' as const, id: call, name: tool, input: {} }]),
  ]
}

export const anthropic: Client = {
  name: 'anthropic',
  refused: ['orphan', 'interrupt', 'system', 'crash', 'unanswered'],
  async ask({ url, messages, stream, fetch }) {
    const client = new Anthropic({ baseURL: url, apiKey: 'any', maxRetries: 0, logLevel: 'off', fetch })
    const tools = [{ name: tool, input_schema: schema }]
    const request = { model: 'claude-opus-4-5', max_tokens: 99, tools, messages: anthropicMessages(messages) }
    if (!stream) return client.messages.create(request)
    return drain(await client.messages.create({ ...request, stream: true }))
  },
}
