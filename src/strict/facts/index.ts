import { facts as anthropic } from './anthropic.ts'
import { facts as bedrock } from './bedrock.ts'
import { facts as deepseek } from './deepseek.ts'
import type { Fact } from './fact.ts'
import { facts as gemini } from './gemini.ts'
import { facts as glm } from './glm.ts'
import { facts as minimax } from './minimax.ts'
import { facts as mistral } from './mistral.ts'
import { facts as moonshot } from './moonshot.ts'
import { facts as openaiChat } from './openai-chat.ts'
import { facts as openaiResponses } from './openai-responses.ts'
import { facts as others } from './others.ts'
import { facts as qwen } from './qwen.ts'
import { facts as templates } from './templates.ts'

/** Everything that is known of what providers refuse, by where it was seen. */
export const facts: readonly Fact[] = [
  ...openaiChat,
  ...openaiResponses,
  ...anthropic,
  ...gemini,
  ...bedrock,
  ...mistral,
  ...deepseek,
  ...minimax,
  ...moonshot,
  ...qwen,
  ...glm,
  ...others,
  ...templates,
]
