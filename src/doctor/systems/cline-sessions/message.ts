import { isRecord, type Part } from '../../../core/conversation.ts'
import { type RecordContent, type RecordFields, shortContent } from '../../record-format.ts'

/** What a message says. `raw` of a part is the index of its block; each result is a content of its own. */
export function messageContents(message: unknown): readonly RecordContent[] {
  if (!isSent(message)) return []
  const role = message.role === 'assistant' ? 'assistant' : 'user'
  const blocks: readonly unknown[] = Array.isArray(message.content)
    ? message.content
    : [{ type: 'text', text: message.content }]
  const contents: { role: RecordContent['role']; parts: Part[] }[] = []
  for (const [raw, block] of blocks.entries()) {
    const part = partOf(block, raw)
    const last = contents.at(-1)
    if (part.kind === 'result') contents.push({ role: 'tool', parts: [part] })
    else if (last?.role === role) last.parts.push(part)
    else contents.push({ role, parts: [part] })
  }
  // The program sends a text in place of nothing.
  return contents.length > 0 ? contents : [{ role, parts: [{ kind: 'other' }] }]
}

/** Errors that the program shows are among the messages, and not sent. */
export const isSent = (message: unknown): message is RecordFields =>
  isRecord(message) &&
  (message.role === 'user' || message.role === 'assistant') &&
  (typeof message.content === 'string' || Array.isArray(message.content)) &&
  !(isRecord(message.metadata) && message.metadata.displayOnly === true)

function partOf(block: unknown, raw: number): Part {
  if (!isRecord(block)) return { kind: 'other', raw }
  const { type, id, tool_use_id: answered } = block
  if (type === 'text') return { kind: 'text', text: shortContent(String(block.text ?? '')), raw }
  if (type === 'thinking' || type === 'redacted_thinking')
    return { kind: 'reasoning', text: shortContent(String(block.thinking ?? '')), signed: true, raw }
  const common = { callKind: 'function', by: 'client', raw } as const
  if (type === 'tool_use' && typeof id === 'string')
    return { kind: 'call', id, name: String(block.name ?? ''), input: block.input ?? {}, ...common }
  if (type !== 'tool_result' || typeof answered !== 'string') return { kind: 'other', raw }
  const error = block.is_error === true && { error: true as const }
  return { kind: 'result', id: answered, content: shortContent(textOf(block.content)), ...common, ...error }
}

/** A tool gives a text, blocks, or any JSON, which the program sends as text. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return JSON.stringify(content) ?? ''
  return content
    .map(one => (isRecord(one) && typeof one.text === 'string' ? one.text : (JSON.stringify(one) ?? '')))
    .join('\n')
}

/** The words of the user, without the tag that the program puts around them. */
export const ownWords = (text: unknown): unknown =>
  typeof text === 'string'
    ? text.replace(/^\s*<user_input[^>]{0,100}>/, '').replace(/<\/user_input>\s*$/, '')
    : undefined
