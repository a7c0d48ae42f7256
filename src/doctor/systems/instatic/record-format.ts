import { createHash } from 'node:crypto'
import type { Part, ResultPart } from '../../../core/conversation.ts'
import { valueAt } from '../../../core/invariant.ts'
import { type RecordFormat, storeFormat } from '../../record-format.ts'
import { contentWith, interruptedContent, rowOutcome, rowParts } from './blocks.ts'
import type { Mapper } from './provider.ts'
import type { ChatMessageRow } from './rows.ts'

/** How a chat is read from its rows, and how rows are written. */
export function chatFormat(rows: readonly ChatMessageRow[], { dialect, facts }: Mapper): RecordFormat<ChatMessageRow> {
  const parts = rows.map(row => (row.role === 'tool' ? [resultOf(row)] : rowParts(row)))
  const lastCalls = lastCallsOf(rows, parts)
  return {
    format: storeFormat({
      root: 'ai_messages',
      locate: ({ origin }, part) => {
        const row = rows[part?.slot ?? origin ?? -1]
        return row ? `position ${row.position}` : ''
      },
    }),
    dialect,
    facts,
    read(row, record) {
      const { role } = row
      const own = valueAt(parts, record)
      if (role === 'tool' || role === 'user') return [{ role, parts: own }]
      if (role !== 'assistant') return []
      const isOfStep = record <= (lastCalls[record] ?? -1)
      return [{ role, parts: own, ...(isOfStep ? { step: 'step' } : {}) }]
    },
    write: (row, parts, copy) => {
      const id = copy === 0 ? row.id : idFor(row.id, String(copy))
      const [first] = parts
      if (first?.kind === 'result') return { ...row, id, tool_call_id: first.id }
      const call = row.tool_call_id ? parts.find(part => part.kind === 'call') : undefined
      return { ...row, id, content_json: contentWith(row, parts), ...(call ? { tool_call_id: call.id } : {}) }
    },
    answer: (call, row) => ({
      id: idFor(row.id, call.id),
      position: row.position,
      role: 'tool',
      content_json: interruptedContent,
      tool_call_id: call.id,
      tool_name: call.name,
      created_at: row.created_at,
    }),
  }
}

function resultOf(row: ChatMessageRow): ResultPart {
  const { isLegacy: _, ...outcome } = rowOutcome(row)
  return {
    kind: 'result',
    id: row.tool_call_id ?? '',
    ...(row.tool_name ? { name: row.tool_name } : {}),
    ...outcome,
    callKind: 'function',
    by: 'client',
  }
}

/**
 * For each row the last one with a call in its run of assistant rows: up to there they were made together, including
 * text between calls; text after that follows the results.
 */
function lastCallsOf(rows: readonly ChatMessageRow[], parts: readonly (readonly Part[])[]): number[] {
  const last: number[] = []
  for (let record = rows.length - 1; record >= 0; record--) {
    if (rows[record]?.role !== 'assistant') continue
    const next = last[record + 1]
    if (next !== undefined && next >= 0) last[record] = next
    else last[record] = parts[record]?.some(({ kind }) => kind === 'call') ? record : -1
  }
  return last
}

/** An id like those of Instatic, 21 letters of its alphabet, but always the same for the same row. */
export function idFor(...names: string[]): string {
  return createHash('sha256').update(JSON.stringify(names)).digest('base64url').slice(0, 21)
}
