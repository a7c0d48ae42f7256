import { asRecord, isRecord, type Message, type Part } from '../../../core/conversation.ts'
import { RecordList, withParts } from '../../drawing.ts'
import type { JudgedRanges } from '../../examine-lines.ts'
import type { Drawing } from '../../system.ts'
import type { RolloutItem } from './item.ts'
import { itemText, type PieceBytes, readPieces } from './piece-bytes.ts'
import { storedId } from './record-format.ts'
import { itemPlace, type RolloutReport } from './report.ts'
import type { RolloutFile } from './rollout-file.ts'
import type { RolloutScan } from './scan.ts'

/** The history that Codex rebuilds from a rollout, judged as a whole, for display. */
export function drawRollout(
  file: RolloutFile,
  scan: RolloutScan,
  { messageRecords }: Pick<JudgedRanges, 'messageRecords'>,
  { repairs }: Pick<RolloutReport, 'repairs'>,
): Drawing {
  const { items } = scan.history
  const all = Array.from({ length: items.length }, (_, at) => items.item(at))
  const pieceBytes = readPieces(
    file,
    all.map(({ piece }) => piece),
  )
  const list = new RecordList(file.path)
  for (const item of all) list.push(itemPlace(item, scan), shownText(item, pieceBytes))
  const drawing = {
    messages: messageRecords.map(({ message }) => message),
    repairs: repairs.map(({ found }) => found),
    remaining: [],
    records: list.records,
  }
  return withParts(drawing, (part, role) => {
    const item = part.slot === undefined ? undefined : all[part.slot]
    return item ? shownParts(part, role, payloadIn(item, pieceBytes)) : [plainId(part)]
  })
}

function shownText(item: RolloutItem, pieceBytes: PieceBytes): string {
  if (item.piece < 0) return ''
  return item.inner < 0 ? (pieceBytes.get(item.piece)?.toString() ?? '') : itemText(item, pieceBytes)
}

function payloadIn(item: RolloutItem, pieceBytes: PieceBytes): Record<string, unknown> {
  try {
    return item.piece < 0 ? {} : asRecord(JSON.parse(itemText(item, pieceBytes)))
  } catch {
    // Some of its bytes are not text; its kind is known anyway.
    return {}
  }
}

const plainId = (part: Part): Part => ('id' in part ? { ...part, id: storedId(part.id) } : part)

/** A part with the content of its item, which a judgement has only as a hash. */
function shownParts(part: Part, role: Message['role'], payload: Record<string, unknown>): Part[] {
  const { raw: _, ...bare } = part
  switch (bare.kind) {
    case 'call': {
      const name = typeof payload.name === 'string' ? payload.name : bare.callKind
      const input = payload.arguments ?? payload.input ?? payload.action ?? {}
      return [{ ...bare, id: storedId(bare.id), name, input }]
    }
    case 'result': {
      const { name: __, ...result } = bare
      return [{ ...result, id: storedId(bare.id), content: payload.output ?? payload.tools ?? '' }]
    }
    case 'reasoning':
      return [{ ...bare, text: textsIn(payload.summary), signed: typeof payload.encrypted_content === 'string' }]
    case 'text': {
      const blocks = payload.content ?? payload.message
      if (!Array.isArray(blocks)) return [{ ...bare, text: typeof blocks === 'string' ? blocks : '' }]
      // Parts of the assistant are counted by edits: each item stays one part.
      if (role === 'assistant' || blocks.length < 2) return [{ ...bare, text: textsIn(blocks) }]
      return blocks.map((raw, index) => {
        const { itemId: __, ...unnamed } = bare
        const named = index === 0 ? bare : unnamed
        const text = isRecord(raw) ? raw.text : undefined
        return typeof text === 'string' ? { ...named, text } : { ...named, kind: 'other', raw }
      })
    }
    default:
      return [{ ...bare, raw: payload }]
  }
}

const textsIn = (blocks: unknown): string =>
  Array.isArray(blocks)
    ? blocks.flatMap(block => (isRecord(block) && typeof block.text === 'string' ? [block.text] : [])).join('\n\n')
    : ''
