import type { Dialect } from '../dialect.ts'
import { anthropic } from './anthropic.ts'
import { bedrock } from './bedrock.ts'
import { cohere } from './cohere.ts'
import { deepseek } from './deepseek.ts'
import { gemini } from './gemini.ts'
import { geminiInteractions } from './gemini-interactions.ts'
import { gemmaTemplate } from './gemma-template.ts'
import { glm } from './glm.ts'
import { lenient } from './lenient.ts'
import { llamaTemplate } from './llama-template.ts'
import { minimax } from './minimax.ts'
import { mistral } from './mistral.ts'
import { mistralTemplate } from './mistral-template.ts'
import { moonshot } from './moonshot.ts'
import { ollama } from './ollama.ts'
import { openai } from './openai.ts'
import { openaiResponses } from './openai-responses.ts'
import { qwen } from './qwen.ts'
import { qwenTemplate } from './qwen-template.ts'
import { vertex } from './vertex.ts'
import { xai } from './xai.ts'

export const dialects = {
  openai,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
  vertex,
  'gemini-interactions': geminiInteractions,
  bedrock,
  mistral,
  deepseek,
  minimax,
  moonshot,
  qwen,
  glm,
  xai,
  cohere,
  ollama,
  'qwen-template': qwenTemplate,
  'gemma-template': gemmaTemplate,
  'llama-template': llamaTemplate,
  'mistral-template': mistralTemplate,
  lenient,
} satisfies Record<string, Dialect>

export type DialectId = keyof typeof dialects
