import type { Dialect } from '../../core/dialect.ts'
import { anthropic as ofAnthropic } from '../../core/dialects/anthropic.ts'
import { bedrock as ofBedrock } from '../../core/dialects/bedrock.ts'
import { cohere as ofCohere } from '../../core/dialects/cohere.ts'
import { deepseek as ofDeepseek } from '../../core/dialects/deepseek.ts'
import { gemini as ofGemini } from '../../core/dialects/gemini.ts'
import { geminiInteractions as ofGeminiInteractions } from '../../core/dialects/gemini-interactions.ts'
import { gemmaTemplate as ofGemmaTemplate } from '../../core/dialects/gemma-template.ts'
import { glm as ofGlm } from '../../core/dialects/glm.ts'
import { llamaTemplate as ofLlamaTemplate } from '../../core/dialects/llama-template.ts'
import { minimax as ofMinimax } from '../../core/dialects/minimax.ts'
import { mistral as ofMistral } from '../../core/dialects/mistral.ts'
import { mistralTemplate as ofMistralTemplate } from '../../core/dialects/mistral-template.ts'
import { moonshot as ofMoonshot } from '../../core/dialects/moonshot.ts'
import { ollama as ofOllama } from '../../core/dialects/ollama.ts'
import { openai as ofOpenai } from '../../core/dialects/openai.ts'
import { openaiResponses as ofOpenaiResponses } from '../../core/dialects/openai-responses.ts'
import { qwen as ofQwen } from '../../core/dialects/qwen.ts'
import { qwenTemplate as ofQwenTemplate } from '../../core/dialects/qwen-template.ts'
import { vertex as ofVertex } from '../../core/dialects/vertex.ts'
import { xai as ofXai } from '../../core/dialects/xai.ts'
import {
  blankText,
  brokenAlternation,
  emptyCalls,
  emptyMessage,
  emptyResult,
  forbiddenFollower,
  foreignProviderCall,
  foreignRole,
  legacyCall,
  malformedArguments,
  malformedName,
  malformedResult,
  misplacedThinking,
  missingReasoning,
  parallelCalls,
  reasoningWithoutFollower,
  repeatedItem,
  repeatedSystem,
  systemNotFirst,
  textAfterCall,
  textBesideCalls,
  textBesideResults,
  trailingSpace,
  trailingThinking,
  unreadRefusal,
  unsignedThinking,
  wrongFirstRole,
  wrongLastRole,
} from '../../core/rules/dialect-specific-rules.ts'
import type { Rule } from '../../core/rules/rule.ts'

export type { Dialect } from '../../core/dialect.ts'
export { lenient } from '../../core/dialects/lenient.ts'

/*
 * The providers, each with the rules that it needs in some format: the entry point of a single format has only those of the
 * provider whose format it is.
 */

const calls = [emptyCalls, foreignProviderCall, malformedArguments, malformedName, textAfterCall]
const contents = [emptyMessage, emptyResult, malformedResult, unreadRefusal]
const ends = [wrongFirstRole, wrongLastRole]
const systems = [repeatedSystem, systemNotFirst]
const templates = [foreignRole, legacyCall, ...systems]
const thinking = [misplacedThinking, trailingThinking, unsignedThinking]

/* @__NO_SIDE_EFFECTS__ */
const dialect = (own: Dialect, ...rules: readonly (Rule | readonly Rule[])[]): Dialect => ({
  ...own,
  rules: [...calls, ...contents, ...rules.flat()],
})

export const anthropic = dialect(ofAnthropic, blankText, ends, systemNotFirst, thinking, trailingSpace)
export const bedrock = dialect(
  ofBedrock,
  ...[blankText, brokenAlternation, ends, forbiddenFollower, systemNotFirst],
  ...[textBesideCalls, textBesideResults, thinking, trailingSpace],
)
export const cohere = dialect(ofCohere)
export const deepseek = dialect(ofDeepseek, brokenAlternation, missingReasoning)
export const gemini = dialect(ofGemini, blankText, brokenAlternation, ends, foreignRole, systems)
export const geminiInteractions = dialect(ofGeminiInteractions, blankText, ends, unsignedThinking)
export const gemmaTemplate = dialect(ofGemmaTemplate, brokenAlternation, templates, wrongFirstRole)
export const glm = dialect(ofGlm, foreignRole)
export const llamaTemplate = dialect(ofLlamaTemplate, parallelCalls)
export const minimax = dialect(ofMinimax, blankText, brokenAlternation, textBesideResults)
export const mistral = dialect(ofMistral, ends, forbiddenFollower, foreignRole, legacyCall, systemNotFirst)
export const mistralTemplate = dialect(
  ofMistralTemplate,
  ...[brokenAlternation, forbiddenFollower, templates, wrongFirstRole],
)
export const moonshot = dialect(ofMoonshot, missingReasoning)
export const ollama = dialect(ofOllama, brokenAlternation, foreignRole)
export const openai = dialect(ofOpenai, parallelCalls)
export const openaiResponses = dialect(ofOpenaiResponses, blankText, reasoningWithoutFollower, repeatedItem)
export const qwen = dialect(ofQwen, foreignRole)
export const qwenTemplate = dialect(ofQwenTemplate, templates)
export const vertex = dialect(ofVertex, blankText, brokenAlternation, ends, foreignRole, systemNotFirst)
export const xai = dialect(ofXai)
