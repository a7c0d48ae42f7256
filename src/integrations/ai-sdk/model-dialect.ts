import { type DialectId, dialects } from '../../core/dialects/index.ts'
import { makers, templates } from '../fetch/models.ts'

/** How a model of the AI SDK identifies itself, in every version of its interface. */
export interface ModelName {
  /** Such as `openai.responses` or `google.vertex.anthropic.messages`. */
  readonly provider: string
  readonly modelId: string
}

/** The dialect of a model, identified by its provider, else by its name, else by its interface. */
export function modelDialect({ provider, modelId }: ModelName): DialectId {
  const words = provider.toLowerCase().split(/[.:/]/)
  const kind = words.at(-1) ?? ''
  if (kind === 'messages') return 'anthropic'
  const named = words.map(word => providers[word] ?? word).find(isNamed)
  if (named !== undefined) return named
  if (kind === 'responses') return 'openai-responses'
  if (words.some(word => hosted.has(word))) return 'openai'
  const maker = [...templates, ...makers].find(({ models }) => models.test(modelId))
  return maker?.dialect ?? (kind === 'chat' ? 'openai' : 'lenient')
}

const isNamed = (word: string): word is DialectId => Object.hasOwn(dialects, word) && !neutral.has(word)

/** Every OpenAI-compatible model has OpenAI's name, so that it does not identify the provider. */
const neutral = new Set(['openai', 'openai-responses', 'lenient'])

/** Each of these serves many models, all with OpenAI's rules. */
const hosted = new Set([
  'azure',
  'azure-openai',
  'groq',
  'togetherai',
  'fireworks',
  'cerebras',
  'perplexity',
  'deepinfra',
])

const providers: Readonly<Record<string, DialectId | undefined>> = Object.assign(Object.create(null), {
  'generative-ai': 'gemini',
  'google-vertex': 'vertex',
  'amazon-bedrock': 'bedrock',
  moonshotai: 'moonshot',
  alibaba: 'qwen',
  dashscope: 'qwen',
  zai: 'glm',
  zhipu: 'glm',
  grok: 'xai',
} satisfies Record<string, DialectId>)
