import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import type { ModelRequest } from '../../src/journal/index.ts'
import { type Dialect, routes, type Setting, toolNames } from './settings.ts'

/** Models behind the proxy, by the clients that their users have. */
export function modelOf(dialect: Dialect, { proxy }: Pick<Setting, 'proxy'>): (request: ModelRequest) => unknown {
  const settings = { apiKey: 'any', maxRetries: 1, logLevel: 'off' } as const
  const parameters = { type: 'object' as const, properties: { item: { type: 'string' } } }
  if (dialect === 'openai') {
    const client = new OpenAI({ ...settings, baseURL: `${proxy}/${routes.agents}/v1` })
    const tools = toolNames.map(name => ({ type: 'function' as const, function: { name, parameters } }))
    return ({ messages, signal }) =>
      client.chat.completions.create({ model: 'gpt-5', messages, tools, stream: true }, { signal })
  }
  const client = new Anthropic({ ...settings, baseURL: `${proxy}/${routes.agents}` })
  const tools = toolNames.map(name => ({ name, input_schema: parameters }))
  const thinking = { type: 'enabled', budget_tokens: 1_024 } as const
  return ({ messages, signal }) =>
    client.messages.create(
      { model: 'claude-opus-4-5', max_tokens: 4_096, thinking, messages, tools, stream: true },
      { signal },
    )
}
