import { isRecord, type Message, type Part, type Role } from '../../../core/conversation.ts'
import { Draft, dropParts } from '../../../core/edit.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { RecordList } from '../../drawing.ts'
import type { Drawing } from '../../system.ts'
import type { HistoryDefect } from './defect.ts'
import type { RolloutItem } from './item.ts'
import { abortedText } from './item-text.ts'
import { itemText, type PieceBytes, readPieces } from './piece-bytes.ts'
import { itemPlace, repairOf } from './report.ts'
import type { RolloutFile } from './rollout-file.ts'
import type { RolloutScan } from './scan.ts'

/** The history that Codex rebuilds from a rollout, with the repaired defects, for display. */
export function drawRollout(file: RolloutFile, scan: RolloutScan, repaired: readonly HistoryDefect[]): Drawing {
  const { items } = scan.history
  const all = Array.from({ length: items.length }, (_, at) => items.item(at))
  const taken = readPieces(
    file,
    all.map(({ piece }) => piece),
  )
  const list = new RecordList(file.path)
  const messages: Message[] = []
  const seats = new Map<string, Seat>()
  for (const [record, item] of all.entries()) {
    list.push(itemPlace(item, scan), shownText(item, taken))
    const payload = payloadIn(item, taken)
    const role = roleOf(item, payload)
    const parts = partsOf(item, payload).map(part => ({ ...part, slot: record }))
    const last = messages.at(-1)
    // Consecutive output of the model is one message.
    if (last?.role === 'assistant' && role === 'assistant')
      messages[messages.length - 1] = { ...last, parts: [...last.parts, ...parts] }
    else messages.push({ key: messages.length, origin: record, role, parts })
    seats.set(nameOf(item), { key: messages.length - 1, slot: record })
  }
  const draft = new Draft(messages)
  const rows = new Rows(draft)
  const repairs: Repair[] = []
  for (const defect of repaired) {
    const from = draft.edits.length
    applyRepair(draft, rows, defect, item => seats.get(nameOf(item)))
    repairs.push({ ...repairOf(defect, scan), edits: draft.edits.slice(from) })
  }
  return { messages, repairs, remaining: [], records: list.records }
}

/** Where an item is drawn: its message, and the slot of its parts. */
interface Seat {
  readonly key: number
  readonly slot: number
}

const nameOf = ({ piece, inner }: RolloutItem): string => `${piece} ${inner}`

type SeatOf = (item: RolloutItem) => Seat | undefined

function applyRepair(draft: Draft, rows: Rows, defect: HistoryDefect, seatOf: SeatOf): void {
  const { item } = defect
  const seat = seatOf(item)
  if (!seat || !draft.get(seat.key)) return
  switch (defect.kind) {
    case 'repeated':
    case 'duplicate':
    case 'orphan':
      if (partsAt(draft, seat).length === draft.get(seat.key)?.parts.length) rows.leave(seat.key)
      dropParts(draft, seat.key, partsAt(draft, seat))
      return
    case 'misplaced': {
      const place = [defect.seat, defect.call].map(seatOf).find(one => one && draft.get(one.key))
      if (!place) return
      rows.leave(seat.key)
      draft.move(seat.key, rows.end(place.key))
      rows.join(seat.key, place.key)
      return
    }
    case 'unanswered': {
      const { family = 'function', callId = '' } = item
      const part = { kind: 'result', id: callId, content: abortedText, sort: family, by: 'client' } as const
      const place =
        [...(defect.seat ? [defect.seat] : []), item].map(seatOf).find(one => one && draft.get(one.key)) ?? seat
      rows.join(draft.insert(rows.end(place.key), { role: 'tool', parts: [part] }), place.key)
      return
    }
    case 'nameless':
    case 'reused':
      for (const one of [item, ...(defect.kind === 'nameless' ? defect.results : []), ...defect.answers])
        rewrite(draft, seatOf(one), part => ('id' in part ? { ...part, id: defect.id } : part))
      return
    case 'mismatched':
      rewrite(draft, seat, part =>
        part.kind === 'result' ? { ...part, sort: defect.call.family ?? 'function' } : part,
      )
      return
    default:
      rewrite(draft, seat, ({ itemId: _, ...part }) => part)
  }
}

const partsAt = (draft: Draft, { key, slot }: Seat): Part[] =>
  (draft.get(key)?.parts ?? []).filter(part => part.slot === slot)

function rewrite(draft: Draft, seat: Seat | undefined, change: (part: Part) => Part): void {
  for (const part of seat ? partsAt(draft, seat) : []) {
    const index = draft.get(seat?.key ?? -1)?.parts.indexOf(part) ?? -1
    if (seat && index >= 0) draft.rewrite(seat.key, index, change(part))
  }
}

/** Results after one message: the row of each message, and the last message of each row. */
class Rows {
  readonly #draft: Draft
  readonly #rows = new Map<number, number>()
  readonly #ends = new Map<number, number>()

  constructor(draft: Draft) {
    this.#draft = draft
    let row = -1
    for (const { key, role } of draft.messages) {
      if (role !== 'tool' || row < 0) row = key
      this.#rows.set(key, row)
      this.#ends.set(row, key)
    }
  }

  end(key: number): number {
    return this.#ends.get(this.#rows.get(key) ?? key) ?? key
  }

  /** A message is removed, or moves elsewhere. */
  leave(key: number): void {
    const row = this.#rows.get(key) ?? key
    if (this.#ends.get(row) === key) this.#ends.set(row, this.#draft.before(key))
  }

  join(key: number, to: number): void {
    const row = this.#rows.get(to) ?? to
    this.#rows.set(key, row)
    this.#ends.set(row, key)
  }
}

function shownText(item: RolloutItem, taken: PieceBytes): string {
  if (item.piece < 0) return ''
  return item.inner < 0 ? (taken.get(item.piece)?.toString() ?? '') : itemText(item, taken)
}

function payloadIn(item: RolloutItem, taken: PieceBytes): Record<string, unknown> {
  try {
    const payload: unknown = item.piece < 0 ? {} : JSON.parse(itemText(item, taken))
    return isRecord(payload) ? payload : {}
  } catch {
    // Some of its bytes are not text; its kind is known anyway.
    return {}
  }
}

function roleOf({ kind, isOfModel }: RolloutItem, { role }: Record<string, unknown>): Role {
  if (kind === 'result') return 'tool'
  if (isOfModel) return 'assistant'
  return kind !== 'words' ? 'other' : role === 'developer' ? 'system' : 'user'
}

function partsOf(item: RolloutItem, payload: Record<string, unknown>): Part[] {
  const { family = 'function', callId = '' } = item
  const itemId = typeof payload.id === 'string' ? { itemId: payload.id } : {}
  const common = { id: callId, sort: family, by: 'client' as const, ...itemId }
  switch (item.kind) {
    case 'call': {
      const name = typeof payload.name === 'string' ? payload.name : item.isShell ? 'local_shell' : family
      return [{ kind: 'call', ...common, name, input: payload.arguments ?? payload.input ?? payload.action ?? {} }]
    }
    case 'result':
      return [{ kind: 'result', ...common, content: payload.output ?? payload.tools ?? '' }]
    case 'reasoning': {
      const signed = typeof payload.encrypted_content === 'string'
      return [{ kind: 'reasoning', text: textsIn(payload.summary).join('\n\n'), signed, ...itemId }]
    }
    case 'words':
      return wordsOf(payload).map(part => ({ ...part, ...itemId }))
    default:
      return [{ kind: 'other', raw: payload, ...itemId }]
  }
}

function wordsOf({ content, message }: Record<string, unknown>): Part[] {
  const blocks = content ?? message
  if (!Array.isArray(blocks)) return [{ kind: 'text', text: typeof blocks === 'string' ? blocks : '' }]
  return blocks.map(block =>
    isRecord(block) && typeof block.text === 'string'
      ? { kind: 'text', text: block.text }
      : { kind: 'other', raw: block },
  )
}

const textsIn = (blocks: unknown): string[] =>
  Array.isArray(blocks)
    ? blocks.flatMap(block => (isRecord(block) && typeof block.text === 'string' ? [block.text] : []))
    : []
