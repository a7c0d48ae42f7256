import { replies as agUi } from '../ag-ui/index.ts'
import { replies as aiSdk } from '../ai-sdk/index.ts'
import { replies as aiSdkUi } from '../ai-sdk-ui/index.ts'
import { replies as anthropic } from '../anthropic/index.ts'
import { replies as bedrock } from '../bedrock/index.ts'
import { replies as gemini } from '../gemini/index.ts'
import { replies as geminiInteractions } from '../gemini-interactions/index.ts'
import type { CodecId } from '../index.ts'
import { replies as langchain } from '../langchain/index.ts'
import { replies as ollama } from '../ollama/index.ts'
import { replies as openaiChat } from '../openai-chat/index.ts'
import { replies as openaiResponses } from '../openai-responses/index.ts'
import { replies as pydanticAi } from '../pydantic-ai/index.ts'
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
