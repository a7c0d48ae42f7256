import { Block } from '../../files/block.ts'
import type { RawLine } from '../../files/raw-lines.ts'
import { setOrdinal } from './item-text.ts'
import type { RolloutPlan } from './plan.ts'
import { type RolloutPiece, rolloutPieces } from './recover-records.ts'
import type { WantedRecords } from './unwanted-record.ts'

type Ending = RawLine['ending']

/**
 * The bytes of a rollout after the plan, in blocks. Every line keeps its ending; a new last one gets an ending, or
 * Codex would append the next record to it. `owed` is what has to be written before the next piece: the end of its
 * line, a line break if a piece was glued to it, nothing before a piece that may stay on its line.
 */
export function* rewriteRollout(
  lines: Iterable<RawLine>,
  plan: RolloutPlan,
  pieceBytes: ReadonlyMap<number, Buffer>,
  nextOrdinal: number,
  wantedRecords: WantedRecords,
): Generator<Buffer> {
  const block = new Block()
  let [lineBreak, owed]: [Ending, Ending | undefined] = ['\n', undefined]
  let ordinal = plan.renumber?.ordinal ?? nextOrdinal
  const add = (bytes: Buffer | string, ending: Ending): void => {
    if (owed !== undefined) block.add(owed || lineBreak)
    block.add(bytes)
    owed = ending
  }
  const addSources = (piece: number): void => {
    for (const source of plan.after.get(piece) ?? []) {
      if ('text' in source) add(source.text, lineBreak)
      else add(plan.textOf(source.piece, (pieceBytes.get(source.piece) as Buffer).toString()), lineBreak)
    }
  }
  const addPiece = ({ kind, bytes, ending, isGlued }: RolloutPiece, at: number): void => {
    if (ending !== '') lineBreak = ending
    if (plan.blanks.has(at)) {
      if (owed !== undefined && owed !== '') block.add(owed)
      block.add(' '.repeat(bytes.length))
      owed = isGlued ? undefined : ending
    } else if (plan.drops.has(at)) {
      if (owed === '') owed = ending || lineBreak
    } else if (!plan.moved.has(at)) {
      const isNumbered = plan.renumber !== undefined && at >= plan.renumber.piece && kind === 'record'
      if (!isNumbered && !plan.isChanged(at)) add(bytes, ending)
      else {
        const text = plan.textOf(at, bytes.toString())
        add(isNumbered ? setOrdinal(ordinal++)(text) : text, ending)
      }
    }
  }
  addSources(-1)
  let at = 0
  for (const piece of rolloutPieces(lines, wantedRecords)) {
    addPiece(piece, at)
    addSources(at)
    at++
    if (block.isFull) yield block.take()
  }
  for (const text of plan.tail) add(ordinal < 0 ? text : setOrdinal(ordinal++)(text), lineBreak)
  if (owed !== undefined) block.add(owed)
  yield block.take()
}
