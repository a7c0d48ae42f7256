import { GoogleGenAI, type Interactions } from '@google/genai'
import type { Said } from '../failures.ts'
import { type Client, drain, tool } from './client.ts'

const said = (text: string) => [{ type: 'text' as const, text }]

/** A system message has no step: it is a field of the request. */
export function steps(messages: readonly Said[]): Interactions.Step[] {
  return messages.flatMap((message): Interactions.Step[] => {
    if (message.who === 'system') return []
    if (message.who === 'user') return [{ type: 'user_input', content: said(message.text) }]
    if (message.who === 'tool') {
      const failed = message.isError ? { is_error: true } : {}
      return [{ type: 'function_result', call_id: message.call, name: tool, result: message.text, ...failed }]
    }
    const { text, call } = message as Said & { who: 'assistant' }
    return [
      ...(text === undefined ? [] : [{ type: 'model_output' as const, content: said(text) }]),
      ...(call === undefined ? [] : [{ type: 'function_call' as const, id: call, name: tool, arguments: {} }]),
    ]
  })
}

export const genaiInteractions: Client = {
  name: 'google genai, interactions',
  refused: ['orphan', 'interrupt', 'crash', 'unanswered'],
  async ask({ url, messages, stream, fetch }) {
    const client = new GoogleGenAI({ apiKey: 'any', httpOptions: { baseUrl: url, fetch } })
    const system = messages.find(({ who }) => who === 'system')
    const request = {
      ...{ model: 'gemini-2.5-flash', input: steps(messages), store: false },
      ...(system && 'text' in system ? { system_instruction: system.text } : {}),
    }
    if (!stream) return client.interactions.create(request)
    return drain(await client.interactions.create({ ...request, stream: true }))
  },
}
