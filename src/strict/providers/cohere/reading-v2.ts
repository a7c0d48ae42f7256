import { type JsonObject, jsonText, objectOf, objects } from '../../json.ts'
import type { Reading } from '../../reading/reading.ts'
import { readOpenaiChat } from '../openai/reading.ts'

/** The second version has OpenAI's messages and tools, but results may be documents. */
export const readCohereV2 = (body: JsonObject): Reading => ({
  ...readOpenaiChat({ ...body, messages: objects(body.messages).map(withTexts) }),
  mayCall: body.tool_choice !== 'NONE',
})

const withTexts = (message: JsonObject): JsonObject =>
  message.role === 'tool' && Array.isArray(message.content)
    ? { ...message, content: objects(message.content).map(asText) }
    : message

const asText = (part: JsonObject): JsonObject =>
  part.type === 'document' ? { type: 'text', text: jsonText(objectOf(part.document).data) } : part
