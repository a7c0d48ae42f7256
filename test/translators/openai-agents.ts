import {
  type AgentInputItem,
  type Model,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  setTracingDisabled,
  withTrace,
} from '@openai/agents'
import OpenAI from 'openai'
import { healItems } from '../../src/integrations/openai-agents/heal-items.ts'
import { capture, captured, type History, type Translator } from './translator.ts'

const client = new OpenAI({ apiKey: 'any', maxRetries: 0, logLevel: 'off', fetch: capture })

setTracingDisabled(true)

const ask = (model: Model, history: History) =>
  captured(() =>
    withTrace('trial', () =>
      model.getResponse({
        ...{ input: structuredClone(history) as AgentInputItem[], tools: [], outputType: 'text', handoffs: [] },
        ...{ modelSettings: {}, tracing: false },
      }),
    ),
  )

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Chat messages as the items that the SDK keeps. */
export function itemsOf(messages: History): AgentInputItem[] {
  const names = new Map<unknown, unknown>()
  return messages.filter(isFields).flatMap(message => itemsIn(message, names)) as unknown as AgentInputItem[]
}

function itemsIn(message: Fields, names: Map<unknown, unknown>): Fields[] {
  const { role, content, tool_calls: calls, tool_call_id: callId } = message
  if (role === 'tool') {
    const name = names.get(callId) ?? 'run'
    return [{ type: 'function_call_result', name, callId, status: 'completed', output: textOf(content) }]
  }
  if (role === 'system' || role === 'developer') return [{ role: 'system', content: textOf(content) }]
  if (role !== 'assistant') return [{ type: 'message', role: 'user', content: textOf(content) }]
  const words = textOf(content)
  const said = { type: 'message', role, status: 'completed', content: [{ type: 'output_text', text: words }] }
  const called = (Array.isArray(calls) ? calls : []).filter(isFields).map(({ id, function: called }) => {
    const { name, arguments: args } = isFields(called) ? called : {}
    // The SDK throws on a name that no function of chat completions can have.
    const named = typeof name === 'string' ? name.replace(/[^\w-]/g, '_') : name
    names.set(id, named)
    return { type: 'function_call', callId: id, name: named, arguments: args, status: 'completed' }
  })
  return words === '' ? called : [said, ...called]
}

const textOf = (content: unknown): string => {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : ''
  return content.map(block => (isFields(block) && typeof block.text === 'string' ? block.text : '')).join('\n')
}

const heal = (dialect: Translator['dialect']) => (history: History) =>
  healItems(history as AgentInputItem[], { for: dialect, model: 'gpt-5' }).items

export const openaiAgents: readonly Translator[] = [
  {
    ...{ name: 'openai-agents responses', format: 'openai-chat', dialect: 'openai-responses', model: 'gpt-5' },
    ...{ provider: 'openai', api: 'openai-responses', heal: heal('openai-responses'), itemsOf },
    send: history => ask(new OpenAIResponsesModel(client, 'gpt-5'), history),
  },
  {
    ...{ name: 'openai-agents chat', format: 'openai-chat', dialect: 'openai', model: 'gpt-5' },
    ...{ provider: 'openai', api: 'openai-chat', heal: heal('openai'), itemsOf },
    send: history => ask(new OpenAIChatCompletionsModel(client, 'gpt-5'), history),
  },
]
