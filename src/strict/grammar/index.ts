import type { Api } from '../provider.ts'
import { anthropicGrammar } from '../providers/anthropic/grammar.ts'
import { bedrockGrammar } from '../providers/bedrock/grammar.ts'
import { cohereV1Grammar } from '../providers/cohere/grammar-v1.ts'
import { cohereV2Grammar } from '../providers/cohere/grammar-v2.ts'
import { geminiGrammar } from '../providers/gemini/grammar.ts'
import { interactionsGrammar } from '../providers/gemini-interactions/grammar.ts'
import { ollamaGrammar } from '../providers/ollama/grammar.ts'
import { openaiChatGrammar } from '../providers/openai/grammar.ts'
import { responsesGrammar } from '../providers/openai-responses/grammar.ts'
import type { Grammar } from './grammar.ts'

export const grammars: Record<Api, Grammar> = {
  'openai-chat': openaiChatGrammar,
  'openai-responses': responsesGrammar,
  anthropic: anthropicGrammar,
  gemini: geminiGrammar,
  bedrock: bedrockGrammar,
  'cohere-v2': cohereV2Grammar,
  'cohere-v1': cohereV1Grammar,
  ollama: ollamaGrammar,
  'gemini-interactions': interactionsGrammar,
}
