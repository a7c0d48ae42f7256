import { anthropic } from './anthropic/index.ts'
import type { Codec } from './codec.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiResponses } from './openai-responses/index.ts'

/** All codecs, the one that an undecided history is read as first. */
export const codecs = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
} satisfies Record<string, Codec>

export type CodecId = keyof typeof codecs
