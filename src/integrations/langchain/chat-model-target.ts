import { isRecord } from '../../core/conversation.ts'
import { type DialectId, dialects } from '../../core/dialects/index.ts'
import { endpointDialect } from '../fetch/endpoint-dialect.ts'
import { makers, templates } from '../fetch/models.ts'

/** The provider that a chat model sends its requests to, and the model's name if it has one. */
export interface ChatModelTarget {
  readonly dialect: DialectId
  readonly model?: string
  /** Whether the provider stores a part of the conversation: a result may belong to a call that is only stored there. */
  readonly continues: boolean
}

/**
 * The provider of a LangChain chat model. It is identified by the class of the model; if that class is used for several providers, by the
 * base URL and the model name. `settings` are those of the request: they decide between Chat Completions and the Responses API.
 */
export async function targetOfModel(model: unknown, settings: object = {}): Promise<ChatModelTarget> {
  const chat = await unwrap(model)
  const name = [chat.model, chat.modelName, chat.modelId].find(isName)
  const dialect = byType(chat, name, settings) ?? byModel(name) ?? 'lenient'
  const continues = continuationKeys.some(key => Boolean(record(chat.defaultOptions)[key]))
  return { dialect, ...(name === undefined ? {} : { model: name }), continues }
}

/** Settings that refer to a part of the conversation that the provider stores. */
export const continuationKeys = ['previous_response_id', 'conversation', 'cachedContent']

/** The chat model inside wrappers that bind tools, configure it or retry. */
async function unwrap(model: unknown, depth = 0): Promise<Readonly<Record<string, unknown>>> {
  if (!isRecord(model)) return {}
  if (depth > depthMax) return model
  // A model made by `initChatModel` is a wrapper that creates the real chat model.
  if (typeof model._getModelInstance === 'function') return unwrap(await model._getModelInstance(), depth + 1)
  if (typeof model._llmType === 'function') return model
  const inner = model.bound ?? model.runnable ?? model.first
  return inner === undefined ? model : unwrap(inner, depth + 1)
}

const depthMax = 8

function byType(
  chat: Readonly<Record<string, unknown>>,
  name: string | undefined,
  settings: object,
): DialectId | undefined {
  const type = typeof chat._llmType === 'function' ? String(chat._llmType()).toLowerCase() : ''
  if (type === 'openai') return ofOpenAi(chat, name, settings)
  const words = type.split(/[^a-z0-9]+/)
  for (const [word, dialect] of Object.entries(types)) if (type === word || words.includes(word)) return dialect
  return words.find(isNamed)
}

/** The class for OpenAI is also used for OpenAI-compatible APIs: the base URL identifies the provider. */
function ofOpenAi(chat: Readonly<Record<string, unknown>>, model: string | undefined, settings: object): DialectId {
  const asksResponses = typeof chat._useResponsesApi === 'function' && Boolean(chat._useResponsesApi(settings))
  const format = asksResponses ? 'openai-responses' : 'openai-chat'
  const base = record(chat.clientConfig).baseURL
  const url = typeof base === 'string' && URL.canParse(base) ? new URL(base) : undefined
  if (!url) return asksResponses ? 'openai-responses' : 'openai'
  return endpointDialect({ url, format, model: undefined, owner: undefined }, model)
}

const byModel = (name: string | undefined): DialectId | undefined =>
  name === undefined ? undefined : [...templates, ...makers].find(({ models }) => models.test(name))?.dialect

const isNamed = (word: string): word is DialectId => Object.hasOwn(dialects, word)

/** Words in the types of LangChain's models that are not the name of a dialect. */
const types: Readonly<Record<string, DialectId>> = {
  azure_openai: 'openai',
  googlegenerativeai: 'gemini',
  google: 'gemini',
  vertexai: 'vertex',
  mistralai: 'mistral',
  chat_bedrock_converse: 'bedrock',
  amazon: 'bedrock',
  groq: 'openai',
  together: 'openai',
  togetherai: 'openai',
  fireworks: 'openai',
  cerebras: 'openai',
  perplexity: 'openai',
  openrouter: 'openai',
  zhipuai: 'glm',
  alibaba: 'qwen',
  grok: 'xai',
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== ''

const record = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {})
