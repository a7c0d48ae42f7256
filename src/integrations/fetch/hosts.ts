import type { CodecId } from '../../codecs/index.ts'
import type { DialectId } from '../../core/dialects/index.ts'

/** A host that is known, and who reads there. Without a reader it is whoever the wire is at home with. */
export interface Host {
  readonly host: RegExp
  readonly reader?: DialectId
  /** The wires that this is about; for any other the host says nothing. */
  readonly formats?: readonly CodecId[]
}

/** Hosts that relay to many readers are not among them: there the path and the model tell. */
export const hosts: readonly Host[] = [
  { host: /(^|\.)api\.openai\.com$/ },
  { host: /^api\.anthropic\.com$/, reader: 'anthropic' },
  { host: /^generativelanguage\.googleapis\.com$|^cloudcode-pa\.googleapis\.com$/, reader: 'gemini' },
  { host: /(^|[-.])aiplatform\.([\w-]+\.rep\.)?googleapis\.com$/, reader: 'vertex', formats: ['gemini'] },
  { host: /^bedrock-runtime[\w-]*\.[\w-]+\.amazonaws\.com(\.cn)?$/, reader: 'bedrock', formats: ['bedrock'] },
  { host: /(^|\.)mistral\.ai$/, reader: 'mistral' },
  { host: /(^|\.)deepseek\.com$/, reader: 'deepseek' },
  { host: /(^|\.)(minimax\.(io|chat)|minimaxi\.(com|chat))$/, reader: 'minimax' },
  { host: /(^|\.)(moonshot\.(ai|cn)|kimi\.com)$/, reader: 'moonshot' },
  { host: /^dashscope[\w-]*\.aliyuncs\.com$/, reader: 'qwen' },
  { host: /(^|\.)(bigmodel\.cn|z\.ai)$/, reader: 'glm' },
  { host: /(^|\.)x\.ai$/, reader: 'xai' },
  { host: /(^|\.)cohere\.(com|ai)$/, reader: 'cohere' },
  // Each of these serves many models, and takes them all in OpenAI's manner.
  { host: /(^|\.)(groq\.com|together\.(xyz|ai)|fireworks\.ai|cerebras\.ai|perplexity\.ai|sambanova\.ai)$/ },
]

/** Whether a server stands on this machine or in its own network, where models come with their own chat templates. */
export const isLocal = (hostname: string): boolean => !hostname.includes('.') || local.test(hostname)

const local =
  /^(0\.0\.0\.0|127\..*|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|\[.*|.*\.(local|localhost|internal|lan))$/
