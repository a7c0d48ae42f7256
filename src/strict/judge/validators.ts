import { validateAnthropic } from '../providers/anthropic/judge.ts'
import { validateBedrock } from '../providers/bedrock/judge.ts'
import { validateCohere } from '../providers/cohere/judge.ts'
import { validateDeepseek } from '../providers/deepseek/judge.ts'
import { validateGemini, validateVertex } from '../providers/gemini/judge.ts'
import { validateInteractions } from '../providers/gemini-interactions/judge.ts'
import { validateGlm } from '../providers/glm/judge.ts'
import { validateMinimax } from '../providers/minimax/judge.ts'
import { validateMistral } from '../providers/mistral/judge.ts'
import { validateMoonshot } from '../providers/moonshot/judge.ts'
import { validateOllama } from '../providers/ollama/judge.ts'
import { validateOpenai } from '../providers/openai/judge.ts'
import { validateOpenaiResponses } from '../providers/openai-responses/judge.ts'
import { validateQwen } from '../providers/qwen/judge.ts'
import { validateGemmaTemplate } from '../providers/templates/gemma.ts'
import { validateLlamaTemplate } from '../providers/templates/llama.ts'
import { validateMistralTemplate } from '../providers/templates/mistral.ts'
import { validateQwenTemplate } from '../providers/templates/qwen.ts'
import { validateXai } from '../providers/xai/judge.ts'
import type { Validator } from './validator.ts'

/** The validator of each provider, by dialect. */
export const validators: Readonly<Record<string, Validator>> = {
  openai: validateOpenai,
  'openai-responses': validateOpenaiResponses,
  anthropic: validateAnthropic,
  gemini: validateGemini,
  vertex: validateVertex,
  'gemini-interactions': validateInteractions,
  bedrock: validateBedrock,
  mistral: validateMistral,
  deepseek: validateDeepseek,
  minimax: validateMinimax,
  moonshot: validateMoonshot,
  qwen: validateQwen,
  glm: validateGlm,
  xai: validateXai,
  cohere: validateCohere,
  ollama: validateOllama,
  'qwen-template': validateQwenTemplate,
  'gemma-template': validateGemmaTemplate,
  'llama-template': validateLlamaTemplate,
  'mistral-template': validateMistralTemplate,
  lenient: () => [],
}
