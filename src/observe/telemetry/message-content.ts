import { type CodecId, codecs } from '../../codecs/index.ts'
import { isRecord, type Part } from '../../core/conversation.ts'

/** Messages of any format as JSON text, as the OpenTelemetry conventions for GenAI spans define it. */
export function messageContent(format: CodecId, messages: readonly unknown[], finishReason?: string): string {
  const converted = codecs[format].decode(messages).messages.map(({ role, parts }) => ({
    role,
    parts: parts.map(partContent),
    ...(finishReason === undefined ? {} : { finish_reason: finishReason }),
  }))
  return JSON.stringify(converted)
}

/** Any value as a string attribute. */
export const valueContent = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

function partContent(part: Part): object {
  switch (part.kind) {
    case 'text':
      return { type: 'text', content: part.text }
    case 'reasoning':
      return { type: 'reasoning', content: part.text }
    case 'call':
      return { type: 'tool_call', id: part.id || null, name: part.name, arguments: parsed(part.input) }
    case 'result':
      return { type: 'tool_call_response', id: part.id || null, response: part.content }
    case 'other':
      return { type: isRecord(part.raw) && typeof part.raw.type === 'string' ? part.raw.type : 'other' }
  }
}

function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}
