import { type Fields, isRecord } from '../../core/conversation.ts'
import type { Recognition } from '../codec.ts'
import { functionCalls, hasAny, hasId, isText, strongestEvidence } from '../shared/evidence.ts'

const foreign = ['parts', 'toolCalls', 'toolCallId', 'tool_call_ids']

const roles = new Set<unknown>(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** Calls and their ids are evidence whatever the content is; without them the content must be known. */
export function recognise(message: unknown): Recognition {
  if (!isRecord(message) || !roles.has(message.role) || hasAny(message, foreign)) return 'no'
  const { role, content } = message
  const calls = functionCalls(message.tool_calls)
  if (calls === 'no' || (message.type ?? 'message') !== 'message') return 'no'
  if (calls === 'yes' || hasId(message.tool_call_id)) return 'yes'
  if (role === 'tool') return message.tool_calls ? 'no' : inLooseResult(message)
  if (role === 'function' || isRecord(message.function_call) || isText(message.reasoning_content)) return 'yes'
  if (Array.isArray(content)) return strongestEvidence(content, content.length === 0 ? 'odd' : 'maybe', inBlock)
  if (content === undefined) return isText(message.refusal) || isRecord(message.audio) ? 'yes' : 'odd'
  if (content !== null && !isText(content)) return 'no'
  return calls
}

/** Media, of OpenAI and of others with the same API: vLLM, Qwen, GLM, Moonshot and OpenRouter take videos, Mistral documents. */
const media = new Set<unknown>(['image_url', 'input_audio', 'video_url', 'audio_url', 'file_url', 'document_url'])

function inBlock({ type, file, thinking, text }: Fields): Recognition {
  if (media.has(type) || (type === 'file' && isRecord(file))) return 'yes'
  if (type === 'thinking' && Array.isArray(thinking)) return 'yes'
  return type === 'refusal' || (type === 'text' && isText(text)) ? 'maybe' : 'no'
}

/** A result that does not name its call may name the tool. Ollama has a separate field for that. */
const inLooseResult = ({ tool_name: tool, name, content }: Fields): Recognition =>
  tool !== undefined ? 'no' : isText(name) && isText(content) ? 'maybe' : 'odd'
