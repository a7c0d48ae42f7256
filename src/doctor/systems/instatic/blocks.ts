import { type CallPart, isRecord, type Part } from '../../../core/conversation.ts'
import { equal } from '../../../core/json/equal.ts'
import { parseVerbatim } from '../../../core/json/exact-json.ts'
import { tryParseJson } from '../../../core/json/try-parse-json.ts'
import { placeholderTexts } from '../../../core/placeholder.ts'
import { withElements } from '../../files/output.ts'
import type { ChatMessageRow } from './rows.ts'

/** Instatic's own text for a call whose turn was cut off. */
export const interrupted =
  'Tool call did not complete — the previous turn was interrupted before a result was produced.'

/** The result for a call that has none, as Instatic writes it. */
export const interruptedContent = JSON.stringify([{ kind: 'toolResult', ok: false, error: interrupted }])

/** The blocks of a row; empty if it has no list, as Instatic reads it. */
export function rowBlocks({ content_json }: ChatMessageRow): readonly unknown[] | undefined {
  const value = tryParseJson(content_json)
  return Array.isArray(value) ? value : undefined
}

/** The parts of an assistant or user row. Unreadable content gives none, but a call still has its columns. */
export function rowParts(row: ChatMessageRow): Part[] {
  const blocks = rowBlocks(row)
  if (blocks && blocks.length > 0) return blocks.map((block, index) => partOf(block, index, row))
  return [(blocks ? undefined : cutCallOf(row, row.content_json)) ?? { kind: 'text', text: '' }]
}

/** A block of an unknown kind may be from a newer version, and counts as content. `raw` is its index. */
function partOf(value: unknown, raw: number, row: ChatMessageRow): Part {
  const block = isRecord(value) ? value : {}
  const { kind, text, toolCallId: id, toolName: name, input } = block
  if (kind === 'text' && typeof text === 'string') return { kind, text, raw }
  if (kind === 'toolCall' && row.role === 'assistant') {
    if (typeof id === 'string' && typeof name === 'string')
      return { kind: 'call', id, name, input: input === null ? {} : input, callKind: 'function', by: 'client', raw }
    const cut = cutCallOf(row, JSON.stringify(value))
    if (cut) return { ...cut, raw }
  }
  const isImage = typeof block.mimeType === 'string' && typeof block.data === 'string'
  if (typeof kind === 'string' && !['text', 'toolCall'].includes(kind) && (kind !== 'image' || isImage))
    return { kind: 'other', raw }
  return { kind: 'text', text: '', raw }
}

/** Whether a row has a block of a kind that Instatic is not known to write. */
export const hasStrangeBlock = (row: ChatMessageRow): boolean =>
  (rowBlocks(row) ?? []).some(block => !isRecord(block) || !kinds.has(block.kind))

const kinds: ReadonlySet<unknown> = new Set(['text', 'image', 'toolCall', 'toolResult'])

/** A call of which only the columns and a piece of its text are left. */
function cutCallOf({ role, tool_call_id: id, tool_name: name }: ChatMessageRow, input: string): Part | undefined {
  if (role !== 'assistant' || !id || !name) return undefined
  return { kind: 'call', id, name, input, callKind: 'function', by: 'client' }
}

/** The outcome in a tool's row. Before June 2026 it was text: none for success. */
export function rowOutcome(row: ChatMessageRow): {
  readonly content: string
  readonly error?: true
  readonly isLegacy: boolean
} {
  const blocks = rowBlocks(row)?.filter(isRecord)
  const block = blocks?.find(({ kind }) => kind === 'toolResult')
  if (typeof block?.ok === 'boolean') {
    if (block.ok) return { content: 'ok', isLegacy: false }
    return { content: wordsOf(block.error), error: true, isLegacy: false }
  }
  const words = blocks?.find(({ kind, text }) => kind === 'text' && typeof text === 'string')
  if (!words) return { content: placeholderTexts.unknown, error: true, isLegacy: false }
  if (words.text === '') return { content: 'ok', isLegacy: true }
  return { content: wordsOf(words.text), error: true, isLegacy: true }
}

function wordsOf(error: unknown): string {
  if (error === interrupted) return placeholderTexts.interrupted
  return typeof error === 'string' ? error : 'failed'
}

/** The text of a row with other parts: unchanged blocks stay byte for byte, and numbers digit for digit. */
export function contentWith(row: ChatMessageRow, parts: readonly Part[]): string {
  const read = rowBlocks(row)
  const before = read ? (parseVerbatim(row.content_json) as unknown[]) : []
  const blocks = parts.map(part => {
    const index = part.raw as number
    return part.kind === 'call' ? callBlock(part, recordOf(before[index]), recordOf(read?.[index])) : before[index]
  })
  if (!read) return JSON.stringify(blocks)
  return withElements(row.content_json, row.content_json.indexOf('['), before, blocks)
}

/** The block of a call: the existing one if it is equal. */
function callBlock({ id, name, input }: CallPart, block: Block, read: Block): Block {
  const hasInput = 'input' in read && equal(read.input ?? {}, input)
  if (hasInput && read.toolCallId === id) return block
  return { ...block, kind: 'toolCall', toolCallId: id, toolName: name, input: hasInput ? block.input : input }
}

type Block = Record<string, unknown>

const recordOf = (value: unknown): Block => (isRecord(value) ? value : {})
