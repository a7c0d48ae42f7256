import { valueAt } from '../../../core/invariant.ts'
import type { ArrangedRecord } from '../../arrange.ts'
import type { ExaminedRecords } from '../../examine-entries.ts'
import type { RecordFormat } from '../../record-format.ts'
import { idFor } from './record-format.ts'
import type { ChatMessageRow } from './rows.ts'

/** The rows of a chat after the repair. Those that stay in place keep their positions if possible. */
export function healedChatRows(
  rows: readonly ChatMessageRow[],
  examined: ExaminedRecords,
  recordFormat: RecordFormat<ChatMessageRow>,
): ChatMessageRow[] {
  return withPositions([...bridgeOf(rows, examined), ...inOrder(rows, examined, recordFormat)], rows)
}

type PlacedRow = ChatMessageRow & { readonly stays: boolean }

/** The rows in their new order, and whether each stays in place. */
function* inOrder(
  rows: readonly ChatMessageRow[],
  { places }: ExaminedRecords,
  recordFormat: RecordFormat<ChatMessageRow>,
): Generator<PlacedRow> {
  for (let record = -1; record < rows.length; record++) {
    const lines: readonly ArrangedRecord[] = places.get(record) ?? (record < 0 ? [] : [{ kind: 'kept', record }])
    let isHere = false
    for (const line of lines) {
      const row = valueAt(rows, line.record)
      if (line.kind === 'made') yield { ...recordFormat.answer(line.call, row, line.result), stays: false }
      else {
        const stays: boolean = line.record === record && !isHere
        isHere ||= stays
        yield { ...(line.kind === 'kept' ? row : recordFormat.write(row, line.parts, line.copy)), stays }
      }
    }
  }
}

/** A user message that was added because the chat would begin with another role. */
function bridgeOf(rows: readonly ChatMessageRow[], { judgement }: ExaminedRecords): PlacedRow[] {
  const [first] = judgement.messages
  const [part] = first?.parts ?? []
  const [row] = rows
  if (!row || first?.role !== 'user' || part?.kind !== 'text' || part.slot !== undefined) return []
  return [
    {
      id: idFor(row.id, 'user'),
      position: row.position,
      role: 'user',
      content_json: JSON.stringify([{ kind: 'text', text: part.text }]),
      tool_call_id: null,
      tool_name: null,
      created_at: row.created_at,
      stays: false,
    },
  ]
}

function withPositions(healed: readonly PlacedRow[], rows: readonly ChatMessageRow[]): ChatMessageRow[] {
  const ahead = healed.findIndex(({ stays }) => stays)
  const standing = ahead > 0 ? healed[ahead] : undefined
  const first = rows[0]?.position ?? 0
  let last = (standing ? Math.max(Math.min(first, 0), standing.position - ahead) : first) - 1
  return healed.map(({ stays, ...row }) => {
    last = stays ? Math.max(row.position, last + 1) : last + 1
    return { ...row, position: last }
  })
}
