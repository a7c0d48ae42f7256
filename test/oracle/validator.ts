import type { Entry } from './entry.ts'
import type { JsonObject } from './json.ts'
import type { Refusal } from './refusal.ts'

export type Format =
  | 'openai-chat'
  | 'openai-responses'
  | 'anthropic'
  | 'gemini'
  | 'bedrock'
  | 'ai-sdk'
  | 'ai-sdk-ui'
  | 'langchain'
  | 'ag-ui'

/** The history as it is written, for facts that only the provider's own wire can break. */
export type Wire = { format: Format; messages: JsonObject[] }

/** What one provider refuses in a conversation. */
export type Validator = (chat: Entry[], wire: Wire) => Refusal[]
