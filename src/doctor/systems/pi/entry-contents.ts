import { type CallPart, isRecord, type Part, type ResultPart } from '../../../core/conversation.ts'
import { type RecordContent, type RecordFields, shortContent } from '../../record-format.ts'

/**
 * The contents of an entry that the model sees, `message` being its message or what replaces it. `raw` of a part is the
 * index of its block.
 */
export function entryContents(entry: RecordFields, message: unknown = entry.message): readonly RecordContent[] {
  if (entry.type !== 'message')
    return spoken.has(entry.type) ? [{ role: 'user', parts: [{ kind: 'other', raw: 0 }] }] : []
  if (!isRecord(message)) return []
  const { role, content } = message
  if (role === 'assistant') {
    const parts = Array.isArray(content) ? content.map(partOf) : []
    return parts.length === 0 ? [] : [{ role: 'assistant', parts }]
  }
  if (role === 'toolResult') return [{ role: 'tool', parts: [resultOf(message)] }]
  if (role === 'user') return [{ role: 'user', parts: [{ kind: 'text', text: shortContent(textOf(content)), raw: 0 }] }]
  const isHidden = !asUser.has(role) || message.excludeFromContext === true
  return isHidden ? [] : [{ role: 'user', parts: [{ kind: 'other', raw: 0 }] }]
}

/** Entries, and roles of messages, that are sent as a user message. */
const spoken = new Set<unknown>(['custom_message', 'branch_summary'])
const asUser = new Set<unknown>(['bashExecution', 'custom', 'hookMessage', 'branchSummary', 'compactionSummary'])

function partOf(block: unknown, raw: number): Part {
  if (!isRecord(block)) return { kind: 'other', raw }
  if (block.type === 'text') return { kind: 'text', text: shortContent(String(block.text)), raw }
  if (block.type === 'thinking') return { kind: 'reasoning', text: '', signed: true, raw }
  if (block.type !== 'toolCall') return { kind: 'other', raw }
  const name = String(block.name)
  return { kind: 'call', id: idOf(block.id), name, input: {}, callKind: 'function', by: 'client', raw }
}

function resultOf({ toolCallId, content, isError }: RecordFields): ResultPart {
  const error = isError === true && { error: true as const }
  const text = shortContent(textOf(content))
  return { kind: 'result', id: idOf(toolCallId), content: text, callKind: 'function', by: 'client', raw: 0, ...error }
}

/** The same part with everything for display. */
export function filledPart(entry: RecordFields, part: Part): Part | readonly Part[] {
  const { message } = entry
  const { role, content } = isRecord(message) ? message : entry
  if (part.kind === 'result') return Array.isArray(content) ? { ...part, content } : part
  if (part.kind === 'other' && role !== 'assistant') return saidBy(isRecord(message) ? message : entry) ?? part
  if (role === 'user' && Array.isArray(content) && content.some(isImage)) return content.map(userPart)
  const block: unknown = Array.isArray(content) ? content[part.raw as number] : undefined
  if (part.kind === 'text' && !Array.isArray(content)) return { ...part, text: textOf(content) }
  if (!isRecord(block)) return part
  if (part.kind === 'call') return { ...part, input: block.arguments ?? {} }
  if (part.kind === 'reasoning') return { ...part, text: String(block.thinking ?? '') }
  if (part.kind === 'other') return { ...part, raw: block }
  return part.kind === 'text' ? { ...part, text: role === 'user' ? textOf(content) : String(block.text) } : part
}

const isImage = (block: unknown): boolean => isRecord(block) && block.type === 'image'

const userPart = (block: unknown): Part =>
  isRecord(block) && typeof block.text === 'string'
    ? { kind: 'text', text: block.text, raw: 0 }
    : { kind: 'other', raw: block }

/** What pi sends as a user message although no user wrote it: a summary, a command that the user ran, text of an extension. */
function saidBy({ summary, command, output, content }: RecordFields): Part | undefined {
  const ran = typeof command === 'string' ? `Ran \`${command}\`\n${String(output ?? '')}` : undefined
  const text = typeof summary === 'string' ? summary : (ran ?? textOf(content))
  return text === '' ? undefined : { kind: 'text', text, raw: 0 }
}

/** An entry with only these parts, perhaps with other ids. */
export function withParts(entry: RecordFields, parts: readonly Part[]): RecordFields {
  const { message } = entry
  if (!isRecord(message)) return entry
  const [first] = parts
  if (first?.kind === 'result') return { ...entry, message: { ...message, toolCallId: first.id } }
  const { content } = message
  if (!Array.isArray(content)) return entry
  const kept = parts.map(part => {
    const block: unknown = content[part.raw as number]
    return part.kind === 'call' && isRecord(block) && block.id !== part.id ? { ...block, id: part.id } : block
  })
  return { ...entry, message: { ...message, content: kept } }
}

/** A new entry for a placeholder result, with the times of its call. */
export function answerTo(call: CallPart, { timestamp, message }: RecordFields, result: ResultPart): RecordFields {
  return {
    type: 'message',
    id: '',
    parentId: null,
    timestamp,
    message: {
      role: 'toolResult',
      toolCallId: call.id,
      toolName: call.name,
      content: [{ type: 'text', text: String(result.content) }],
      isError: true,
      timestamp:
        isRecord(message) && message.timestamp !== undefined ? message.timestamp : Date.parse(String(timestamp)),
    },
  }
}

const idOf = (id: unknown): string => (typeof id === 'string' ? id : '')

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map(block => (isRecord(block) && typeof block.text === 'string' ? block.text : '')).join('')
}
