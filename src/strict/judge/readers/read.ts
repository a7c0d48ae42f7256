import type { Api } from '../../provider.ts'
import { readAnthropicHistory } from '../../providers/anthropic/history.ts'
import { readBedrockHistory } from '../../providers/bedrock/history.ts'
import { readCohereV1History } from '../../providers/cohere/history-v1.ts'
import { readGeminiHistory } from '../../providers/gemini/history.ts'
import { readInteractionsHistory } from '../../providers/gemini-interactions/history.ts'
import { readOllamaHistory } from '../../providers/ollama/history.ts'
import { readOpenaiChatHistory } from '../../providers/openai/history.ts'
import { readOpenaiResponsesHistory } from '../../providers/openai-responses/history.ts'
import type { HistoryEntry } from '../entry.ts'

/** Reads the messages of an API, with any JSON in them. */
export const readers: Readonly<Record<Api, (history: unknown[]) => HistoryEntry[]>> = {
  'openai-chat': readOpenaiChatHistory,
  'openai-responses': readOpenaiResponsesHistory,
  anthropic: readAnthropicHistory,
  gemini: readGeminiHistory,
  bedrock: readBedrockHistory,
  'cohere-v2': readOpenaiChatHistory,
  'cohere-v1': readCohereV1History,
  ollama: readOllamaHistory,
  'gemini-interactions': readInteractionsHistory,
}
