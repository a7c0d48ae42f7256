import { facts as anthropic } from '../providers/anthropic/facts.ts'
import { limitFacts as anthropicLimits } from '../providers/anthropic/facts-limits.ts'
import { facts as bedrock } from '../providers/bedrock/facts.ts'
import { limitFacts as bedrockLimits } from '../providers/bedrock/facts-limits.ts'
import { facts as deepseek } from '../providers/deepseek/facts.ts'
import { facts as gemini } from '../providers/gemini/facts.ts'
import { limitFacts as geminiLimits } from '../providers/gemini/facts-limits.ts'
import { facts as geminiInteractions } from '../providers/gemini-interactions/facts.ts'
import { facts as glm } from '../providers/glm/facts.ts'
import { facts as minimax } from '../providers/minimax/facts.ts'
import { facts as mistral } from '../providers/mistral/facts.ts'
import { facts as moonshot } from '../providers/moonshot/facts.ts'
import { facts as ollama } from '../providers/ollama/facts.ts'
import { facts as openaiChat } from '../providers/openai/facts.ts'
import { limitFacts as openaiChatLimits } from '../providers/openai/facts-limits.ts'
import { facts as openaiResponses } from '../providers/openai-responses/facts.ts'
import { limitFacts as openaiResponsesLimits } from '../providers/openai-responses/facts-limits.ts'
import { facts as qwen } from '../providers/qwen/facts.ts'
import { facts as templates } from '../providers/templates/facts.ts'
import type { ProviderFact } from './fact.ts'
import { facts as others } from './others.ts'

/** All known rules of providers, by where they were seen. */
export const facts: readonly ProviderFact[] = [
  ...openaiChat,
  ...openaiChatLimits,
  ...openaiResponses,
  ...openaiResponsesLimits,
  ...anthropic,
  ...anthropicLimits,
  ...gemini,
  ...geminiLimits,
  ...geminiInteractions,
  ...bedrock,
  ...bedrockLimits,
  ...mistral,
  ...deepseek,
  ...minimax,
  ...moonshot,
  ...qwen,
  ...glm,
  ...ollama,
  ...others,
  ...templates,
]
