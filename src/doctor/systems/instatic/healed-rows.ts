import type { Line } from '../../arrange.ts'
import type { Examined } from '../../examine-entries.ts'
import type { Script } from '../../script.ts'
import type { Row } from './rows.ts'
import { idFor } from './script.ts'

/** The rows of a chat as they were judged to be right. Those that stand where they stood keep their positions if they can. */
export function healedRows(rows: readonly Row[], examined: Examined, script: Script<Row>): Row[] {
  return withPositions([...bridgeOf(rows, examined), ...inOrder(rows, examined, script)], rows)
}

type Seated = Row & { readonly stays: boolean }

/** The rows in their new order, and whether each stands where it stood. */
function* inOrder(rows: readonly Row[], { places }: Examined, script: Script<Row>): Generator<Seated> {
  for (let record = -1; record < rows.length; record++) {
    const lines: readonly Line[] = places.get(record) ?? (record < 0 ? [] : [{ kind: 'kept', record }])
    let isHere = false
    for (const line of lines) {
      const row = rows[line.record]
      if (line.kind === 'made') yield { ...script.answer(line.call, row, line.result), stays: false }
      else {
        const stays: boolean = line.record === record && !isHere
        isHere ||= stays
        yield { ...(line.kind === 'kept' ? row : script.write(row, line.parts, line.copy)), stays }
      }
    }
  }
}

/** Words of the user that were made up because the chat would begin with somebody else. */
function bridgeOf(rows: readonly Row[], { judgement }: Examined): Seated[] {
  const [first] = judgement.messages
  const [part] = first?.parts ?? []
  if (first?.role !== 'user' || part?.kind !== 'text' || part.slot !== undefined) return []
  return [
    {
      id: idFor(rows[0].id, 'user'),
      position: rows[0].position,
      role: 'user',
      content_json: JSON.stringify([{ kind: 'text', text: part.text }]),
      tool_call_id: null,
      tool_name: null,
      created_at: rows[0].created_at,
      stays: false,
    },
  ]
}

function withPositions(healed: readonly Seated[], rows: readonly Row[]): Row[] {
  const ahead = healed.findIndex(({ stays }) => stays)
  const first = rows[0].position
  let last = (ahead > 0 ? Math.max(Math.min(first, 0), healed[ahead].position - ahead) : first) - 1
  return healed.map(({ stays, ...row }) => {
    last = stays ? Math.max(row.position, last + 1) : last + 1
    return { ...row, position: last }
  })
}
