import type { Api } from '../provider.ts'
import { anthropic } from '../providers/anthropic/grammar.ts'
import { bedrock } from '../providers/bedrock/grammar.ts'
import { cohereV1 } from '../providers/cohere/grammar-v1.ts'
import { cohereV2 } from '../providers/cohere/grammar-v2.ts'
import { gemini } from '../providers/gemini/grammar.ts'
import { openaiChat } from '../providers/openai/grammar.ts'
import { responses } from '../providers/openai-responses/grammar.ts'
import type { Grammar } from './grammar.ts'

export const grammars: Record<Api, Grammar> = {
  'openai-chat': openaiChat,
  'openai-responses': responses,
  anthropic,
  gemini,
  bedrock,
  'cohere-v2': cohereV2,
  'cohere-v1': cohereV1,
}
