import { type JsonObject, objectOf, objects, parse, textOrJson } from '../../json.ts'

/** Translates a chat to Anthropic messages, as gateways do: consecutive results share a message. */
export function anthropicMessages(chat: JsonObject[]): JsonObject[] {
  const found: { role: string; content: JsonObject[]; areResults: boolean }[] = []
  for (const message of chat) {
    const last = found.at(-1)
    if (message.role === 'tool') {
      const result = { type: 'tool_result', tool_use_id: message.tool_call_id, content: message.content }
      if (last?.areResults) last.content.push(result)
      else found.push({ role: 'user', content: [result], areResults: true })
    } else if (message.role === 'user' || message.role === 'assistant') {
      const content = [...texts(message.content), ...objects(message.tool_calls).map(toolUse)]
      found.push({ role: message.role, content, areResults: false })
    }
  }
  return found.map(({ role, content }) => ({ role, content }))
}

function texts(content: unknown): JsonObject[] {
  if (Array.isArray(content)) return objects(content)
  return typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : []
}

function toolUse(call: JsonObject): JsonObject {
  const { name, arguments: args } = objectOf(call.function)
  return { type: 'tool_use', id: call.id, name, input: objectOf(parse(textOrJson(args))) }
}
