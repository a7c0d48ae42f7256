import { replies as agUi } from '../ag-ui/chunks.ts'
import { replies as aiSdk } from '../ai-sdk/chunks.ts'
import { replies as aiSdkUi } from '../ai-sdk-ui/chunks.ts'
import { replies as anthropic } from '../anthropic/chunks.ts'
import { replies as bedrock } from '../bedrock/chunks.ts'
import { replies as gemini } from '../gemini/chunks.ts'
import { replies as geminiInteractions } from '../gemini-interactions/chunks.ts'
import type { CodecId } from '../index.ts'
import { replies as langchain } from '../langchain/chunks.ts'
import { replies as ollama } from '../ollama/chunks.ts'
import { replies as openaiChat } from '../openai-chat/chunks.ts'
import { replies as openaiResponses } from '../openai-responses/chunks.ts'
import { replies as pydanticAi } from '../pydantic-ai/chunks.ts'
import type { Replies } from './reply.ts'

/** How providers answer, by format. Separate from the codecs, since healing alone reads no answers. */
export const replies: Readonly<Record<CodecId, Replies>> = {
  'openai-chat': openaiChat,
  'openai-responses': openaiResponses,
  anthropic,
  gemini,
  bedrock,
  'ai-sdk': aiSdk,
  'ai-sdk-ui': aiSdkUi,
  langchain,
  'ag-ui': agUi,
  ollama,
  'pydantic-ai': pydanticAi,
  'gemini-interactions': geminiInteractions,
}
