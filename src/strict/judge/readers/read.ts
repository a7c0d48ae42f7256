import type { Api } from '../../provider.ts'
import type { Entry } from '../entry.ts'
import { readAnthropic } from './anthropic.ts'
import { readBedrock } from './bedrock.ts'
import { readCohereV1 } from './cohere-v1.ts'
import { readGemini } from './gemini.ts'
import { readOpenaiChat } from './openai-chat.ts'
import { readOpenaiResponses } from './openai-responses.ts'

/** Reads the messages of an API, any JSON in them. */
export const readers: Readonly<Record<Api, (history: unknown[]) => Entry[]>> = {
  'openai-chat': readOpenaiChat,
  'openai-responses': readOpenaiResponses,
  anthropic: readAnthropic,
  gemini: readGemini,
  bedrock: readBedrock,
  'cohere-v2': readOpenaiChat,
  'cohere-v1': readCohereV1,
}
