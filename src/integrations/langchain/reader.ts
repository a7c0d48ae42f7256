import { isRecord } from '../../core/conversation.ts'
import { type DialectId, dialects } from '../../core/dialects/index.ts'
import { endpointDialect as readerAt } from '../fetch/endpoint-dialect.ts'
import { makers, templates } from '../fetch/models.ts'

/** Who reads what a model is asked with, and the model's name if it has one. */
export interface Reader {
  readonly dialect: DialectId
  readonly model?: string
  /** Whether the provider holds a part of the conversation: results may have their calls there. */
  readonly continues: boolean
}

/**
 * The reader of a chat model of LangChain: its class says it, and its address and name where the class speaks to many, and
 * `settings`, which it is asked with, where it has several ways to ask.
 */
export async function readerOf(model: unknown, settings: object = {}): Promise<Reader> {
  const chat = await unwrap(model)
  const name = [chat.model, chat.modelName, chat.modelId].find(isName)
  const dialect = byType(chat, name, settings) ?? byModel(name) ?? 'lenient'
  const continues = heldBy.some(key => Boolean(record(chat.defaultOptions)[key]))
  return { dialect, ...(name === undefined ? {} : { model: name }), continues }
}

/** Settings by which a provider is told that it holds a part of the conversation. */
export const heldBy = ['previous_response_id', 'conversation', 'cachedContent']

/** The chat model inside of what binds tools, configures or retries it. */
async function unwrap(model: unknown, depth = 0): Promise<Readonly<Record<string, unknown>>> {
  if (!isRecord(model)) return {}
  if (depth > depthMax) return model
  // What is made from a name only is a chat model itself, and makes the one that is asked.
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

/** Whoever speaks OpenAI's wire is asked through OpenAI's class: the address tells who it is. */
function ofOpenAi(chat: Readonly<Record<string, unknown>>, model: string | undefined, settings: object): DialectId {
  const asksResponses = typeof chat._useResponsesApi === 'function' && Boolean(chat._useResponsesApi(settings))
  const format = asksResponses ? 'openai-responses' : 'openai-chat'
  const base = record(chat.clientConfig).baseURL
  const url = typeof base === 'string' && URL.canParse(base) ? new URL(base) : undefined
  if (!url) return asksResponses ? 'openai-responses' : 'openai'
  return readerAt({ url, format, model: undefined, owner: undefined }, model)
}

const byModel = (name: string | undefined): DialectId | undefined =>
  name === undefined ? undefined : [...templates, ...makers].find(({ models }) => models.test(name))?.dialect

const isNamed = (word: string): word is DialectId => Object.hasOwn(dialects, word)

/** Words in the types of LangChain's models that are no dialect's own name. */
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
