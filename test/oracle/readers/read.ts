import type { Entry } from '../entry.ts'
import type { Format } from '../validator.ts'
import { readAgUi } from './ag-ui.ts'
import { readAiSdk } from './ai-sdk.ts'
import { readAiSdkUi } from './ai-sdk-ui.ts'
import { readAnthropic } from './anthropic.ts'
import { readBedrock } from './bedrock.ts'
import { readGemini } from './gemini.ts'
import { readLangchain } from './langchain.ts'
import { readOpenaiChat } from './openai-chat.ts'
import { readOpenaiResponses } from './openai-responses.ts'

export function read(history: unknown[], format: Format): Entry[] {
  const reader = readers[format]
  if (!reader) throw new Error(`no reader for ${format}`)
  return reader(history)
}

const readers: Partial<Record<Format, (history: unknown[]) => Entry[]>> = {
  'openai-chat': readOpenaiChat,
  'openai-responses': readOpenaiResponses,
  anthropic: readAnthropic,
  gemini: readGemini,
  bedrock: readBedrock,
  langchain: readLangchain,
  'ai-sdk': readAiSdk,
  'ai-sdk-ui': readAiSdkUi,
  'ag-ui': readAgUi,
}
