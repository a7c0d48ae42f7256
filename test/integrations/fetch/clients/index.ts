import { aiSdk } from './ai-sdk.ts'
import { anthropic } from './anthropic.ts'
import type { Client } from './client.ts'
import { cohere } from './cohere.ts'
import { genai, genaiVertex } from './genai.ts'
import { genaiInteractions } from './genai-interactions.ts'
import { mistral } from './mistral.ts'
import { ollama } from './ollama.ts'
import { azureChat, deepseekChat, openaiChat, openaiResponses, vllmChat } from './openai.ts'

export const clients: readonly Client[] = [
  ...[openaiChat, azureChat, vllmChat, deepseekChat, openaiResponses],
  ...[anthropic, genai, genaiVertex, genaiInteractions, mistral, cohere, ollama, ...aiSdk],
]
