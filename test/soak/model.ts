import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import type { ModelChoice, ModelFunction, ModelRequest } from '../../src/journal/index.ts'
import { type Dialect, dialects, routes, type Setting, toolNames } from './settings.ts'

/** The models that a worker asks: that of the journal's provider, and that of the other one. */
export const modelsOf = (dialect: Dialect, setting: Pick<Setting, 'proxy'>): (ModelFunction | ModelChoice)[] => [
  modelOf(dialect, setting),
  ...dialects.filter(other => other !== dialect).map(other => ({ model: modelOf(other, setting), for: other })),
]

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
      {
        model: 'claude-opus-4-5',
        max_tokens: 4_096,
        messages,
        tools,
        stream: true,
        ...(mayThink(messages) && { thinking }),
      },
      { signal },
    )
}

/** Anthropic accepts thinking only if the step that its model is to continue begins with it, and one of another provider does not. */
function mayThink(messages: readonly Anthropic.MessageParam[]): boolean {
  const has = ({ content }: Anthropic.MessageParam, type: string): boolean =>
    typeof content !== 'string' && content[0]?.type === type
  const begun = messages.findLastIndex(message => message.role === 'user' && !has(message, 'tool_result'))
  const steps = messages.slice(begun + 1).filter(({ role }) => role === 'assistant')
  return steps.length === 0 || steps.some(step => has(step, 'thinking'))
}
