import { anthropic } from '../providers/anthropic/judge.ts'
import { bedrock } from '../providers/bedrock/judge.ts'
import { cohere } from '../providers/cohere/judge.ts'
import { deepseek } from '../providers/deepseek/judge.ts'
import { gemini, vertex } from '../providers/gemini/judge.ts'
import { glm } from '../providers/glm/judge.ts'
import { minimax } from '../providers/minimax/judge.ts'
import { mistral } from '../providers/mistral/judge.ts'
import { moonshot } from '../providers/moonshot/judge.ts'
import { openai } from '../providers/openai/judge.ts'
import { openaiResponses } from '../providers/openai-responses/judge.ts'
import { qwen } from '../providers/qwen/judge.ts'
import { gemmaTemplate } from '../providers/templates/gemma.ts'
import { llamaTemplate } from '../providers/templates/llama.ts'
import { mistralTemplate } from '../providers/templates/mistral.ts'
import { qwenTemplate } from '../providers/templates/qwen.ts'
import { xai } from '../providers/xai/judge.ts'
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
