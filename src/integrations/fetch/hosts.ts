import type { CodecId } from '../../codecs/index.ts'
import type { DialectId } from '../../core/dialects/index.ts'

/** A known host and its dialect. Without a dialect it is the default dialect of the format. */
export interface KnownHost {
  readonly host: RegExp
  readonly dialect?: DialectId
  /** The formats that this entry is about; for any other format the host does not identify the provider. */
  readonly formats?: readonly CodecId[]
}

/** Hosts that relay to many providers are not listed: there the path and the model identify the provider. */
export const hosts: readonly KnownHost[] = [
  { host: /(^|\.)api\.openai\.com$/ },
  { host: /^api\.anthropic\.com$/, dialect: 'anthropic' },
  { host: /^generativelanguage\.googleapis\.com$|^cloudcode-pa\.googleapis\.com$/, dialect: 'gemini' },
  { host: /(^|[-.])aiplatform\.([\w-]+\.rep\.)?googleapis\.com$/, dialect: 'vertex', formats: ['gemini'] },
  { host: /^bedrock-runtime[\w-]*\.[\w-]+\.amazonaws\.com(\.cn)?$/, dialect: 'bedrock', formats: ['bedrock'] },
  { host: /(^|\.)mistral\.ai$/, dialect: 'mistral' },
  { host: /(^|\.)deepseek\.com$/, dialect: 'deepseek' },
  { host: /(^|\.)(minimax\.(io|chat)|minimaxi\.(com|chat))$/, dialect: 'minimax' },
  { host: /(^|\.)(moonshot\.(ai|cn)|kimi\.com)$/, dialect: 'moonshot' },
  { host: /^dashscope[\w-]*\.aliyuncs\.com$/, dialect: 'qwen' },
  { host: /(^|\.)(bigmodel\.cn|z\.ai)$/, dialect: 'glm' },
  { host: /(^|\.)x\.ai$/, dialect: 'xai' },
  { host: /(^|\.)cohere\.(com|ai)$/, dialect: 'cohere' },
  // Each of these serves many models, all with OpenAI's rules.
  { host: /(^|\.)(groq\.com|together\.(xyz|ai)|fireworks\.ai|cerebras\.ai|perplexity\.ai|sambanova\.ai)$/ },
]

/** Whether a server is on this machine or in its own network, where models use their own chat templates. */
export const isLocal = (hostname: string): boolean => !hostname.includes('.') || local.test(hostname)

const local =
  /^(0\.0\.0\.0|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|\[.*|.*\.(local|localhost|internal|lan))$/
