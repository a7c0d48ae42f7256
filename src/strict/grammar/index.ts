import type { Api } from '../provider.ts'
import { anthropic } from './anthropic.ts'
import { bedrock } from './bedrock.ts'
import { cohereV1 } from './cohere-v1.ts'
import { cohereV2 } from './cohere-v2.ts'
import { gemini } from './gemini.ts'
import type { Grammar } from './grammar.ts'
import { openaiChat } from './openai-chat.ts'
import { responses } from './responses.ts'

export const grammars: Record<Api, Grammar> = {
  'openai-chat': openaiChat,
  'openai-responses': responses,
  anthropic,
  gemini,
  bedrock,
  'cohere-v2': cohereV2,
  'cohere-v1': cohereV1,
}
