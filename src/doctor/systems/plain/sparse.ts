import { RuleContext } from '../../../core/rules/rule.ts'
import type { HealPlan } from '../../../heal/options.ts'
import { countUpTo, type HealedHistory, repairSegments } from '../../../heal/segments/repair-segments.ts'
import type { Segment } from '../../../heal/segments/scan-segments.ts'
import { parseLine } from '../../line-file.ts'
import { messageLines } from './message-lines.ts'

/** A history of which only some messages are held; the others are replaced by empty objects. */
export interface SparseHistory {
  readonly messages: unknown[]
  readonly ranges: readonly Segment[]
}

/** What a first pass learns of a file: only ids and positions. */
export interface LineOutline {
  readonly count: number
  /** Where the history can be cut, in order. */
  readonly cuts: readonly number[]
  readonly ranges: readonly Segment[]
  /** Where the calls of each id are. */
  readonly calls: ReadonlyMap<string, readonly number[]>
  /** The numbers of the lines that are not JSON, from 1. */
  readonly bad: ReadonlySet<number>
}

/**
 * Repairs the doubtful ranges of a file separately; undefined if that is not possible, and all of it has to be held.
 */
export function healSparsely(
  path: string,
  outline: LineOutline,
  plan: HealPlan,
): (SparseHistory & { readonly healed: HealedHistory }) | undefined {
  // The items in messages that are not held are unknown.
  if (plan.codec.format.reasoning === 'items' || plan.facts.repeatedItem === 'refuse') return undefined
  const messages: unknown[] = Array.from({ length: outline.count }, () => ({}))
  const held = new Set<number>()
  let { ranges } = outline
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    if (lengthOf(ranges) > outline.count / 2) return undefined
    hold(path, outline.bad, ranges, messages, held)
    const longer = joined(ranges.map(range => reach(range, messages, outline, plan)))
    if (lengthOf(longer) === lengthOf(ranges)) {
      const healed = repairSegments(messages, ranges, outline.cuts, plan, {
        calls: outline.calls,
        items: new Map(),
      })
      return healed && { messages, ranges, healed }
    }
    ranges = longer
  }
  return undefined
}

const attemptsMax = 4

const lengthOf = (ranges: readonly Segment[]): number => ranges.reduce((sum, { from, to }) => sum + to - from, 0)

/** Reads the messages of ranges that are not held yet. */
function hold(
  path: string,
  bad: ReadonlySet<number>,
  ranges: readonly Segment[],
  messages: unknown[],
  held: Set<number>,
): void {
  let next = 0
  for (const { line, index } of messageLines(path, bad)) {
    if (index === undefined) continue
    let range = ranges[next]
    while (range && index >= range.to) range = ranges[++next]
    if (!range) return
    if (index < range.from || held.has(index)) continue
    messages[index] = parseLine(line)
    held.add(index)
  }
}

/** A range with the turns that hold the calls of its results. */
function reach(
  { from, to }: Segment,
  messages: readonly unknown[],
  { calls, cuts, count }: LineOutline,
  plan: HealPlan,
): Segment {
  const { pairing } = new RuleContext(plan.codec.decode(messages, from, to), plan)
  let [start, end] = [from, to]
  for (const { part, call } of pairing.results) {
    if (part.id === '' || call?.part.id === part.id) continue
    const places = calls.get(part.id) ?? []
    const [first] = places
    const before = places[countUpTo(places, from - 1) - 1]
    if (before !== undefined) start = Math.min(start, cuts[countUpTo(cuts, before) - 1] ?? 0)
    else if (first !== undefined) end = Math.max(end, cuts[countUpTo(cuts, first)] ?? count)
  }
  return { from: start, to: end }
}

function joined(ranges: readonly Segment[]): Segment[] {
  const all: { from: number; to: number }[] = []
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last && from < last.to) last.to = Math.max(last.to, to)
    else all.push({ from, to })
  }
  return all
}
