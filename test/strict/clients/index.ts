import { aiSdk } from './ai-sdk.ts'
import { anthropic } from './anthropic.ts'
import { bedrock } from './bedrock.ts'
import type { Client } from './client.ts'
import { cohereV1, cohereV2 } from './cohere.ts'
import { genai } from './genai.ts'
import { genaiInteractions } from './genai-interactions.ts'
import { mistral } from './mistral.ts'
import { ollama } from './ollama.ts'
import { openaiChat, openaiResponses } from './openai.ts'

export const clients: Client[] = [
  ...[openaiChat, openaiResponses, anthropic, genai, bedrock, mistral, cohereV2, cohereV1, ollama],
  ...genaiInteractions,
  ...aiSdk,
]
