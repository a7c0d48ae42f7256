import type { Entry } from '../entry.ts'
import type { Format } from '../validator.ts'
import { readAnthropic } from './anthropic.ts'
import { readOpenaiChat } from './openai-chat.ts'
import { readOpenaiResponses } from './openai-responses.ts'

export const read = (history: unknown[], format: Format): Entry[] => readers[format](history)

const readers: Record<Format, (history: unknown[]) => Entry[]> = {
  'openai-chat': readOpenaiChat,
  'openai-responses': readOpenaiResponses,
  anthropic: readAnthropic,
}
