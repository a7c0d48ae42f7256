import { recognise as agUi } from '../ag-ui/recognise.ts'
import { recognise as aiSdk } from '../ai-sdk/recognise.ts'
import { recognise as aiSdkUi } from '../ai-sdk-ui/recognise.ts'
import { recognise as anthropic } from '../anthropic/recognise.ts'
import { recognise as bedrock } from '../bedrock/recognise.ts'
import type { Recognition } from '../codec.ts'
import { recognise as gemini } from '../gemini/recognise.ts'
import { recognise as geminiInteractions } from '../gemini-interactions/recognise.ts'
import type { CodecId } from '../index.ts'
import { recognise as langchain } from '../langchain/recognise.ts'
import { recognise as ollama } from '../ollama/recognise.ts'
import { recognise as openaiChat } from '../openai-chat/recognise.ts'
import { recognise as openaiResponses } from '../openai-responses/recognise.ts'
import { recognise as pydanticAi } from '../pydantic-ai/recognise.ts'

/** How each format is recognised. Separate from the codecs, since callers that name the format need none of it. */
export const recognition: Readonly<Record<CodecId, (message: unknown) => Recognition>> = {
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
