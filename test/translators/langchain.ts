import { ChatAnthropic } from '@langchain/anthropic'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import {
  AIMessage,
  type BaseMessage,
  FunctionMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { capture, captured, type History, type Translator, toolNames } from './translator.ts'

const openai = (useResponsesApi: boolean): ChatOpenAI =>
  new ChatOpenAI({
    ...{ apiKey: 'any', maxRetries: 0, model: 'gpt-5', useResponsesApi },
    configuration: { fetch: capture },
  })

const anthropic = new ChatAnthropic({
  ...{ apiKey: 'any', maxRetries: 0, model: 'claude-sonnet-4-5', thinking: { type: 'adaptive' } },
  clientOptions: { fetch: capture },
})

const classes = {
  human: HumanMessage,
  user: HumanMessage,
  ai: AIMessage,
  assistant: AIMessage,
  system: SystemMessage,
  developer: SystemMessage,
  tool: ToolMessage,
  function: FunctionMessage,
} as unknown as Record<string, new (fields: object) => BaseMessage>

type Fields = Record<string, unknown>

/** A message of any form as an object, as LangChain makes it when it is loaded. A message that removes another is none. */
export function messageOf(raw: unknown): BaseMessage[] {
  const { lc, id, kwargs, type, role, data, ...flat } = raw as Fields
  const name = String(lc === 1 && Array.isArray(id) ? id.at(-1) : typeof role === 'string' ? role : type)
  const kind = name.replace(/Message(Chunk)?$/, '').toLowerCase()
  if (kind === 'remove') return []
  const fields =
    lc === 1 ? kwargs : data && flat.content === undefined ? data : { ...flat, ...(lc === 1 ? {} : { id }) }
  const { content_blocks, contentBlocks = content_blocks, tool_call_chunks: _, ...rest } = fields as Fields
  const made = classes[kind]
  if (!made) throw new TypeError(`LangChain knows no message of the type ${name}`)
  const { content, ...beside } = rest
  const extras = name === 'developer' ? { additional_kwargs: { __openai_role__: 'developer' } } : {}
  if (contentBlocks === undefined || content) return [new made({ ...beside, content, ...extras })]
  return [new made({ ...beside, contentBlocks, ...extras })]
}

const ask = (model: BaseChatModel, history: History): Promise<Fields> => {
  const tools = toolNames(history).map(tool => ({
    type: 'function',
    function: { name: tool, parameters: { type: 'object', properties: {} } },
  }))
  const bound = model.bindTools?.(tools) ?? model
  return captured(async () => bound.invoke((structuredClone(history) as unknown[]).flatMap(messageOf)))
}

export const langchain: readonly Translator[] = [
  {
    ...{ name: 'langchain openai chat', format: 'langchain', dialect: 'openai', model: 'gpt-5' },
    ...{ provider: 'openai', api: 'openai-chat', send: history => ask(openai(false), history) },
  },
  {
    ...{ name: 'langchain openai responses', format: 'langchain', dialect: 'openai-responses', model: 'gpt-5' },
    ...{ provider: 'openai', api: 'openai-responses', send: history => ask(openai(true), history) },
  },
  {
    ...{ name: 'langchain anthropic', format: 'langchain', dialect: 'anthropic', model: 'claude-sonnet-4-5' },
    ...{ provider: 'anthropic', api: 'anthropic', send: history => ask(anthropic, history) },
  },
]
