import type { HistoryEntry } from '../../../src/strict/judge/entry.ts'
import { readers as native } from '../../../src/strict/judge/readers/read.ts'
import type { Format } from '../judge.ts'
import { readAgUi } from './ag-ui.ts'
import { readAiSdk } from './ai-sdk.ts'
import { readAiSdkUi } from './ai-sdk-ui.ts'
import { readLangchain } from './langchain.ts'
import { readPydanticAi } from './pydantic-ai.ts'

export const read = (history: unknown[], format: Format): HistoryEntry[] => readers[format](history)

const readers: Record<Format, (history: unknown[]) => HistoryEntry[]> = {
  ...native,
  'ai-sdk': readAiSdk,
  'ai-sdk-ui': readAiSdkUi,
  langchain: readLangchain,
  'ag-ui': readAgUi,
  'pydantic-ai': readPydanticAi,
}
