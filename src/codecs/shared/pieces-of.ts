import { pieces as agUi } from '../ag-ui/pieces.ts'
import { pieces as aiSdk } from '../ai-sdk/pieces.ts'
import { pieces as aiSdkUi } from '../ai-sdk-ui/pieces.ts'
import { pieces as anthropic } from '../anthropic/pieces.ts'
import { pieces as bedrock } from '../bedrock/pieces.ts'
import type { Codec } from '../codec.ts'
import { pieces as gemini } from '../gemini/pieces.ts'
import { pieces as geminiInteractions } from '../gemini-interactions/pieces.ts'
import type { CodecId } from '../index.ts'
import { pieces as langchain } from '../langchain/pieces.ts'
import { pieces as ollama } from '../ollama/pieces.ts'
import { pieces as openaiChat } from '../openai-chat/pieces.ts'
import { pieces as openaiResponses } from '../openai-responses/pieces.ts'
import { pieces as pydanticAi } from '../pydantic-ai/pieces.ts'
import type { Pieces } from './pieces.ts'

/** How each format writes pieces. Separate from the codecs, since healing alone never converts to another format. */
export const pieces: Readonly<Record<CodecId, Pieces>> = {
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

export const piecesOf = ({ id }: Codec): Pieces => pieces[id as CodecId]
