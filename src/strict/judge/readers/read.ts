import type { Api } from '../../provider.ts'
import { readAnthropic } from '../../providers/anthropic/history.ts'
import { readBedrock } from '../../providers/bedrock/history.ts'
import { readCohereV1 } from '../../providers/cohere/history-v1.ts'
import { readGemini } from '../../providers/gemini/history.ts'
import { readOpenaiChat } from '../../providers/openai/history.ts'
import { readOpenaiResponses } from '../../providers/openai-responses/history.ts'
import type { Entry } from '../entry.ts'

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
