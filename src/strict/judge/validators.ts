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
import { gemmaTemplate } from './templates/gemma.ts'
import { llamaTemplate } from './templates/llama.ts'
import { mistralTemplate } from './templates/mistral.ts'
import { qwenTemplate } from './templates/qwen.ts'
import type { Validator } from './validator.ts'

/** What each provider refuses, by the name of its dialect. */
export const validators: Readonly<Record<string, Validator>> = {
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
