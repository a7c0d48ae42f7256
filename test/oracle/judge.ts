import type { Entry } from './entry.ts'
import { isObject } from './json.ts'
import { anthropic } from './providers/anthropic.ts'
import { bedrock } from './providers/bedrock.ts'
import { cohere } from './providers/cohere.ts'
import { deepseek } from './providers/deepseek.ts'
import { gemini, vertex } from './providers/gemini.ts'
import { glm } from './providers/glm.ts'
import { minimax } from './providers/minimax.ts'
import { mistral } from './providers/mistral.ts'
import { moonshot } from './providers/moonshot.ts'
import { openai } from './providers/openai.ts'
import { openaiResponses } from './providers/openai-responses.ts'
import { qwen } from './providers/qwen.ts'
import { xai } from './providers/xai.ts'
import { read } from './readers/read.ts'
import type { Refusal } from './refusal.ts'
import { unknown } from './runs.ts'
import { gemmaTemplate } from './templates/gemma.ts'
import { llamaTemplate } from './templates/llama.ts'
import { mistralTemplate } from './templates/mistral.ts'
import { qwenTemplate } from './templates/qwen.ts'
import type { Format, Validator } from './validator.ts'

export type { Refusal } from './refusal.ts'
export type { Format } from './validator.ts'

/**
 * Why a provider of this dialect would refuse the history as the next request; nothing if it accepts. A history in
 * another format than the provider's own is judged as a gateway would translate it. It shares no code with `src/`.
 */
export function judge(history: unknown[], format: Format, dialect: string): Refusal[] {
  const validate = validators[dialect]
  if (!validate) throw new Error(`no judge for the dialect ${dialect}`)
  const messages = history.map(message => (isObject(message) ? message : {}))
  const chat = read(history, format)
  const isPartial = messages.some(({ type }) => type === 'item_reference')
  return validate(isPartial ? withoutStrangers(chat) : chat, { format, messages })
}

/** The list without results that have no call in front of them: in an input that refers to stored items they answer those. */
function withoutStrangers(chat: Entry[]): Entry[] {
  const strangers = new Set(unknown(chat))
  return chat.filter(entry => !strangers.has(entry))
}

const validators: Record<string, Validator | undefined> = {
  openai,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
  vertex,
  bedrock,
  mistral,
  deepseek,
  minimax,
  moonshot,
  qwen,
  glm,
  xai,
  cohere,
  'qwen-template': qwenTemplate,
  'gemma-template': gemmaTemplate,
  'llama-template': llamaTemplate,
  'mistral-template': mistralTemplate,
  lenient: () => [],
}

export const dialects = Object.keys(validators)
