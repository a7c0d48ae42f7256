import { asRecord } from '../../../core/conversation.ts'
import { type JudgedRanges, judgeRanges } from '../../examine-lines.ts'
import type { LineFile } from '../../line-file.ts'
import { LineSurvey, type Range } from '../../line-survey.ts'
import type { RecordContent, RecordFields } from '../../record-format.ts'
import type { RolloutItems } from './items.ts'
import { itemContents, rolloutFacts, rolloutFormat } from './record-format.ts'
import { rolloutPieces } from './recover-records.ts'
import type { RolloutHistory } from './replay.ts'

/** Judges a history: doubtful ranges of its items are read again, or all of it with `isWhole`. */
export function judgeItems(
  file: Pick<LineFile, 'lines'>,
  history: RolloutHistory,
  mayMove: boolean,
  isWhole = false,
): JudgedRanges {
  const { items } = history
  const ranges = isWhole ? [{ from: 0, to: items.length }] : doubtfulRanges(items, repeatsIn(items, file))
  const nullIds = new Set<number>()
  const read = (at: number, payload: RecordFields): readonly RecordContent[] => {
    if (payload.call_id === null) nullIds.add(at)
    return itemContents(items, at, payload)
  }
  const contents = contentsOf(items, ranges, payloadsIn(file, items, ranges), read)
  return judgeRanges(contents, rolloutFormat(history, mayMove ? undefined : nullIds), ranges, items.length, {})
}

function doubtfulRanges(items: RolloutItems, repeats: ReadonlyMap<number, number>): Range[] {
  const survey = new LineSurvey(rolloutFacts)
  const isAside = asideResults(items)
  const firsts = new Set(repeats.values())
  const segments = new Map<number, number>()
  for (let at = 0; at < items.length; at++) {
    if (isAside(at)) continue
    const contents = itemContents(items, at)
    const isNameless = items.isCall(at) && items.callId(at) === ''
    // The result of a call without an id may have the id of its item.
    survey.push(at, isNameless ? contents.map(content => withId(content, items.itemId(at) ?? '')) : contents)
    if (isNameless) survey.dependOn(survey.segment)
    if (firsts.has(at)) segments.set(at, survey.segment)
    const first = repeats.get(at)
    if (first !== undefined) survey.dependOn(segments.get(first) ?? survey.segment)
  }
  return survey.end(items.length)
}

/** The items with the id of an earlier one, and that one. Hashes may collide, so the ids themselves are read. */
function repeatsIn(items: RolloutItems, file: Pick<LineFile, 'lines'>): Map<number, number> {
  const hashes = items.hashesSeenTwice()
  const repeats = new Map<number, number>()
  if (hashes.size === 0) return repeats
  const suspects: Range[] = []
  for (let at = 0; at < items.length; at++)
    if (items.piece(at) >= 0 && hashes.has(items.hash(at))) suspects.push({ from: at, to: at + 1 })
  const firsts = new Map<unknown, number>()
  let next = 0
  for (const { id } of payloadsIn(file, items, suspects)) {
    const at = suspects[next++]?.from ?? 0
    const first = firsts.get(id)
    if (first === undefined) firsts.set(id, at)
    else repeats.set(at, first)
  }
  return repeats
}

const withId = ({ parts, ...content }: RecordContent, id: string): RecordContent => ({
  ...content,
  parts: parts.map(part => ({ ...part, id })),
})

function* contentsOf(
  items: RolloutItems,
  ranges: readonly Range[],
  payloads: Iterator<RecordFields>,
  read: (at: number, payload: RecordFields) => readonly RecordContent[],
): Generator<readonly RecordContent[]> {
  const isAside = asideResults(items)
  let next = 0
  for (let at = 0; at < items.length; at++) {
    while (at >= (ranges[next]?.to ?? Number.POSITIVE_INFINITY)) next++
    const isIn = at >= (ranges[next]?.from ?? Number.POSITIVE_INFINITY)
    const payload = isIn && items.piece(at) >= 0 ? payloads.next().value : undefined
    yield isAside(at) ? [] : payload ? read(at, payload) : itemContents(items, at)
  }
}

/** The payloads of the items in the ranges that are in this file, in order. */
export function* payloadsIn(
  { lines }: Pick<LineFile, 'lines'>,
  items: RolloutItems,
  ranges: readonly Range[],
): Generator<RecordFields> {
  const wanted = ranges.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at))
  const own = wanted.filter(at => items.piece(at) >= 0)
  let [piece, next] = [0, 0]
  for (const { value } of rolloutPieces(lines())) {
    for (let at = own[next]; at !== undefined && items.piece(at) === piece; at = own[++next]) {
      const payload = asRecord(value?.payload)
      const { replacement_history: history } = payload
      const inner = items.inner(at)
      yield inner < 0 ? payload : asRecord(Array.isArray(history) ? history[inner] : undefined)
    }
    piece++
    if (next === own.length) return
  }
}

/** Output of a running tool, where another result answers its call. */
function asideResults(items: RolloutItems): (at: number) => boolean {
  const answered = new Set<number>()
  const asides = new Set<number>()
  for (let at = 0; at < items.length; at++) if (items.isResult(at) && !items.isExtra(at)) answered.add(items.key(at))
  for (let at = 0; at < items.length; at++) {
    if (!items.isExtra(at)) continue
    if (answered.has(items.key(at))) asides.add(at)
    else answered.add(items.key(at))
  }
  return at => asides.has(at)
}
