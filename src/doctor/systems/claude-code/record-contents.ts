import { recognition } from '../../../codecs/shared/recognition.ts'
import { isRecord, type Part } from '../../../core/conversation.ts'
import { type RecordContent, shortContent } from '../../record-format.ts'

/**
 * The contents of a linked record that the model sees. `raw` of a part is the index of its block. Notes of the program,
 * and its errors that are stored as assistant text, have none.
 */
export function recordContents(record: Record<string, unknown>): readonly RecordContent[] {
  const { type, message, isApiErrorMessage } = record
  if (!isRecord(message)) return []
  const parts = partsOf(message.content)
  if (type === 'assistant') {
    const { id } = message
    if (parts.length === 0 || isApiErrorMessage === true) return []
    return [{ role: 'assistant', parts, ...(typeof id === 'string' && { step: id }) }]
  }
  if (type !== 'user') return []
  const words = parts.filter(({ kind }) => kind !== 'result')
  const results = parts.filter(({ kind }) => kind === 'result')
  return [
    ...results.map((part): RecordContent => ({ role: 'tool', parts: [part] })),
    ...(words.length > 0 ? [{ role: 'user' as const, parts: words }] : []),
  ]
}

/** The format of another program that the message of a record is in: its calls and results would be overlooked. */
export function foreignFormat({ type, message }: Record<string, unknown>): string | undefined {
  if ((type !== 'user' && type !== 'assistant') || !isRecord(message)) return undefined
  if (recognition.anthropic(message) !== 'no') return undefined
  return Object.entries(recognition).find(([, recognise]) => recognise(message) === 'yes')?.[0]
}

/**
 * The same with everything for display: the full text, the input of calls, the reasoning, and what the user wrote while
 * the program worked. The program sends that as a part of the previous result, so it does not count for a repair.
 */
export function fullRecordContents(record: Record<string, unknown>): readonly RecordContent[] {
  const prompt = queuedPrompt(record)
  const content = prompt ?? (isRecord(record.message) ? record.message.content : undefined)
  const contents: readonly RecordContent[] =
    prompt === undefined ? recordContents(record) : [{ role: 'user', parts: partsOf(prompt) }]
  return contents.map(({ parts, ...rest }) => ({ ...rest, parts: parts.map(part => filled(part, content)) }))
}

/** What the user wrote while the program worked; undefined for every other record, and for what programs queued. */
function queuedPrompt({ type, attachment }: Record<string, unknown>): unknown {
  if (type !== 'attachment' || !isRecord(attachment) || attachment.type !== 'queued_command') return undefined
  const { prompt, commandMode: mode = 'prompt', origin, isMeta } = attachment
  const isOfUser = mode === 'prompt' && isMeta !== true && (!isRecord(origin) || origin.kind === 'human')
  return isOfUser && (Array.isArray(prompt) || typeof prompt === 'string') && prompt.length > 0 ? prompt : undefined
}

function filled(part: Part, content: unknown): Part {
  const block: unknown = Array.isArray(content) ? content[part.raw as number] : { text: content }
  if (!isRecord(block)) return part
  if (part.kind === 'text' && typeof block.text === 'string') return { ...part, text: block.text }
  if (part.kind === 'call') return { ...part, input: block.input ?? {} }
  if (part.kind === 'result' && Array.isArray(block.content)) return { ...part, content: block.content }
  if (part.kind === 'other') return { ...part, raw: block }
  return part.kind === 'reasoning' && typeof block.thinking === 'string' ? { ...part, text: block.thinking } : part
}

function partsOf(content: unknown): Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: shortContent(content), raw: 0 }]
  return Array.isArray(content) ? content.map(partOf) : []
}

function partOf(block: unknown, raw: number): Part {
  if (!isRecord(block)) return { kind: 'other', raw }
  const { type } = block
  if (type === 'text') return { kind: 'text', text: shortContent(String(block.text)), raw }
  if (type === 'tool_use') {
    const name = String(block.name)
    return { kind: 'call', id: idOf(block.id), name, input: {}, callKind: 'function', by: 'client', raw }
  }
  if (type === 'tool_result') {
    const content = shortContent(wordsOf(block.content))
    const error = block.is_error === true && { error: true as const }
    return { kind: 'result', id: idOf(block.tool_use_id), content, callKind: 'function', by: 'client', raw, ...error }
  }
  if (type === 'thinking' || type === 'redacted_thinking') return { kind: 'reasoning', text: '', signed: true, raw }
  return { kind: 'other', raw }
}

const idOf = (id: unknown): string => (typeof id === 'string' ? id : '')

function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map(block => (isRecord(block) && typeof block.text === 'string' ? block.text : '')).join('')
}
