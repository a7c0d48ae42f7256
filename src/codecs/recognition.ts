import { recognise as agUi } from './ag-ui/index.ts'
import { recognise as aiSdk } from './ai-sdk/index.ts'
import { recognise as aiSdkUi } from './ai-sdk-ui/index.ts'
import { recognise as anthropic } from './anthropic/index.ts'
import { recognise as bedrock } from './bedrock/index.ts'
import type { Recognition } from './codec.ts'
import { recognise as gemini } from './gemini/index.ts'
import type { CodecId } from './index.ts'
import { recognise as langchain } from './langchain/index.ts'
import { recognise as openaiChat } from './openai-chat/index.ts'
import { recognise as openaiResponses } from './openai-responses/index.ts'

/** How each shape is told from the others. Apart from the codecs: whoever has named the shape looks for none. */
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
}
