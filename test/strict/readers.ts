import { type CodecId, codecs } from '../../src/codecs/index.ts'
import type { DialectId } from '../../src/index.ts'
import { isObject, objects } from '../../src/strict/json.ts'
import { type Api, apisOf, type ProviderRejection } from '../../src/strict/provider.ts'
import { findProvider } from '../../src/strict/providers/index.ts'
import { ServerState } from '../../src/strict/server/state.ts'

/** A dialect in a shape that its own provider speaks, and the strict provider that judges it. */
export interface Reader {
  dialect: DialectId
  format: CodecId & Api
  provider: string
  /** The model that has the demands of the dialect. */
  model: string
}

const reader = (dialect: DialectId, format: Reader['format'], model: string, provider: string = dialect): Reader => ({
  dialect,
  format,
  provider,
  model,
})

export const readers: readonly Reader[] = [
  reader('openai', 'openai-chat', 'gpt-5'),
  reader('openai-responses', 'openai-responses', 'gpt-5', 'openai'),
  reader('anthropic', 'anthropic', 'claude-sonnet-4-5'),
  reader('gemini', 'gemini', 'gemini-2.5-pro'),
  reader('vertex', 'gemini', 'gemini-2.5-pro'),
  reader('gemini-interactions', 'gemini-interactions', 'gemini-2.5-pro', 'gemini'),
  reader('gemini-interactions', 'gemini-interactions', 'gemini-3-pro', 'gemini'),
  reader('bedrock', 'bedrock', 'anthropic.claude-sonnet-4-5-v1:0'),
  reader('mistral', 'openai-chat', 'mistral-large-latest'),
  reader('deepseek', 'openai-chat', 'deepseek-chat'),
  reader('deepseek', 'openai-responses', 'deepseek-chat'),
  reader('minimax', 'openai-chat', 'MiniMax-M2'),
  reader('minimax', 'anthropic', 'MiniMax-M2'),
  reader('moonshot', 'openai-chat', 'kimi-k2'),
  reader('qwen', 'openai-chat', 'qwen3-coder-plus'),
  reader('glm', 'openai-chat', 'glm-5'),
  reader('xai', 'openai-chat', 'grok-4'),
  reader('cohere', 'openai-chat', 'command-a-03-2025'),
  reader('ollama', 'ollama', 'qwen3:8b'),
  reader('qwen-template', 'openai-chat', 'qwen3.5'),
  reader('gemma-template', 'openai-chat', 'gemma-3'),
  reader('llama-template', 'openai-chat', 'llama-3.3'),
  reader('mistral-template', 'openai-chat', 'devstral-2'),
]

/** Why the strict provider, which may know things already, refuses a history as the next request; nothing if it accepts. */
export function refusal(
  history: readonly unknown[],
  reader: Reader,
  request: object = {},
  state = new ServerState(),
): ProviderRejection | undefined {
  const { provider: id, format, model } = reader
  const provider = findProvider(id)
  if (!provider || !apisOf(provider).includes(format)) throw new Error(`no strict provider ${id} speaks ${format}`)
  const body = requestOf(history, reader, request)
  return provider.reject(
    { id: 'req_1', provider: id, api: format, path: '/', model, stream: false, headers: {}, body },
    state,
  )
}

/** A request around a history, with every tool of it declared, and what else it is to say. */
export const requestOf = (
  history: readonly unknown[],
  { format, model }: Reader,
  request: object = {},
): Record<string, unknown> => ({
  model,
  ...declared(history, format),
  ...request,
  [codecs[format].format.root]: history,
})

/** The tools that a history uses, declared as those want it who demand it, and thinking left to the model. */
function declared(history: readonly unknown[], format: Api): object {
  const names = new Set<string>()
  for (const message of objects(history)) {
    for (const block of objects(message.content)) {
      const name = isObject(block.toolUse) ? block.toolUse.name : block.name
      if (typeof name === 'string' && /^[\w-]{1,64}$/.test(name)) names.add(name)
    }
  }
  const all = names.size > 0 ? [...names] : ['search']
  if (format === 'anthropic')
    return {
      max_tokens: 64,
      thinking: { type: 'adaptive' },
      tools: all.map(name => ({ name, input_schema: { type: 'object' } })),
    }
  if (format !== 'bedrock') return {}
  return {
    additionalModelRequestFields: { thinking: { type: 'adaptive' } },
    toolConfig: { tools: all.map(name => ({ toolSpec: { name, inputSchema: { json: { type: 'object' } } } })) },
  }
}
