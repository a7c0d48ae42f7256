import type { Codec } from './codec.ts'

// Related codecs are adjacent, since that compresses better. Chat messages, and formats like them:

import { agUi } from './ag-ui/index.ts'
import { langchain } from './langchain/index.ts'
import { ollama } from './ollama/index.ts'
import { openaiChat } from './openai-chat/index.ts'

// Content in blocks:

import { anthropic } from './anthropic/index.ts'
import { bedrock } from './bedrock/index.ts'
import { gemini } from './gemini/index.ts'

// Parts and items:

import { aiSdk } from './ai-sdk/index.ts'
import { aiSdkUi } from './ai-sdk-ui/index.ts'
import { geminiInteractions } from './gemini-interactions/index.ts'
import { openaiResponses } from './openai-responses/index.ts'
import { pydanticAi } from './pydantic-ai/index.ts'

/** All codecs, the one that an undecided history is read as first. */
export const codecs = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
  bedrock,
  'ai-sdk': aiSdk,
  'ai-sdk-ui': aiSdkUi,
  langchain,
  'ag-ui': agUi,
  ollama,
  'pydantic-ai': pydanticAi,
  'gemini-interactions': geminiInteractions,
} satisfies Record<string, Codec>

export type CodecId = keyof typeof codecs
