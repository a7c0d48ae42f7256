import { type JsonObject, objectOf, objects, textOrJson } from '../../json.ts'
import type { RequestSummary } from '../../reading/request-summary.ts'
import { summarizeOpenaiChat } from '../openai/reading.ts'

/** Version 2 has OpenAI's messages and tools, but results may be documents. */
export const summarizeCohereV2 = (body: JsonObject): RequestSummary => ({
  ...summarizeOpenaiChat({ ...body, messages: objects(body.messages).map(withTexts) }),
  mayCall: body.tool_choice !== 'NONE',
})

const withTexts = (message: JsonObject): JsonObject =>
  message.role === 'tool' && Array.isArray(message.content)
    ? { ...message, content: objects(message.content).map(asText) }
    : message

const asText = (part: JsonObject): JsonObject =>
  part.type === 'document' ? { type: 'text', text: textOrJson(objectOf(part.document).data) } : part
