import { type DialectId, dialects } from '../../core/dialects/index.ts'
import { makers, templates } from '../../integrations/fetch/models.ts'

/** How a value of --for is interpreted. */
export interface NamedDialect {
  readonly dialect: DialectId
  /** The value names a model, for the rules that depend on it. */
  readonly model?: string
  /** What else it could mean. */
  readonly note?: string
}

/** The dialect that a name refers to: its id, a common name of a provider or a program, or a model. Undefined for an unknown name. */
export function dialectNamed(name: string): NamedDialect | undefined {
  if (Object.hasOwn(dialects, name)) return { dialect: name as DialectId }
  const lower = name.toLowerCase().replaceAll(/[\s_]+/g, '-')
  const known = everyday[lower]
  if (known !== undefined) return { dialect: known, ...(local.has(lower) ? { note: otherTemplates } : {}) }
  const family = [...ownModels, ...makers, ...templates].find(({ models }) => models.test(lower))
  return family && { dialect: family.dialect, ...(/\d/.test(lower) ? { model: name } : {}) }
}

/** Models that need no entry among the makers, since their provider is the default there. */
const ownModels: typeof makers = [
  { models: /^(openai\/)?(gpt|chatgpt|o\d|codex)(-|$|\d)/, dialect: 'openai' },
  { models: /^(amazon\.)?(nova|titan)-/, dialect: 'bedrock' },
  { models: /(^|[-/])(sonnet|opus|haiku)(-|$)/, dialect: 'anthropic' },
  { models: /^llama/, dialect: 'llama-template' },
]

const everyday: Readonly<Record<string, DialectId | undefined>> = Object.assign(Object.create(null), {
  ...{ gpt: 'openai', chatgpt: 'openai', azure: 'openai', 'azure-openai': 'openai', chat: 'openai' },
  ...{ groq: 'openai', together: 'openai', fireworks: 'openai', openrouter: 'openai', cerebras: 'openai' },
  ...{ responses: 'openai-responses', codex: 'openai-responses' },
  ...{ claude: 'anthropic', 'claude-code': 'anthropic' },
  ...{ google: 'gemini', 'google-ai': 'gemini', 'ai-studio': 'gemini', 'vertex-ai': 'vertex' },
  ...{ interactions: 'gemini-interactions' },
  ...{ aws: 'bedrock', amazon: 'bedrock', nova: 'bedrock' },
  ...{
    grok: 'xai',
    'x.ai': 'xai',
    kimi: 'moonshot',
    zhipu: 'glm',
    'z.ai': 'glm',
    dashscope: 'qwen',
    command: 'cohere',
  },
  ...{ gemini: 'gemini', gemma: 'gemma-template', llama: 'llama-template' },
  ...{ 'llama.cpp': 'llama-template', 'llama-cpp': 'llama-template' },
  ...{ vllm: 'llama-template', 'lm-studio': 'llama-template', lmstudio: 'llama-template' },
} satisfies Record<string, DialectId>)

/** Programs that use the chat template of whichever model they serve. */
const local = new Set(['llama.cpp', 'llama-cpp', 'vllm', 'lm-studio', 'lmstudio'])
const otherTemplates = 'other models have their own: qwen-template, gemma-template, mistral-template'
