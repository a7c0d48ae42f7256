import { RuleContext } from '../../../core/rules/rule.ts'
import type { HealPlan } from '../../../heal/options.ts'
import { type HealedHistory, repairSegments } from '../../../heal/segments/repair-segments.ts'
import type { Segment } from '../../../heal/segments/scan-segments.ts'
import { parseLine } from '../../line-file.ts'
import { messageLines } from './message-lines.ts'

/** A history of which only some messages are held; in the place of the others stands an object that says nothing. */
export interface Sparse {
  readonly messages: unknown[]
  readonly stretches: readonly Segment[]
}

/** What a first pass has learnt of a file: no more than ids and places. */
export interface Outline {
  readonly count: number
  /** Where the history can be cut, in order. */
  readonly cuts: readonly number[]
  readonly stretches: readonly Segment[]
  /** Where calls of each id stand. */
  readonly calls: ReadonlyMap<string, readonly number[]>
  /** The numbers of the lines that are no JSON, from 1. */
  readonly bad: ReadonlySet<number>
}

/** Heals the doubtful stretches of a file by themselves; undefined if that cannot be done, and all of it has to be held. */
export function healSparsely(
  path: string,
  outline: Outline,
  plan: HealPlan,
): (Sparse & { readonly healed: HealedHistory }) | undefined {
  // Which items stand elsewhere is not known of messages that are not held.
  if (plan.codec.itemId) return undefined
  const messages: unknown[] = Array.from({ length: outline.count }, () => ({}))
  const held = new Set<number>()
  let { stretches } = outline
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    if (lengthOf(stretches) > outline.count / 2) return undefined
    hold(path, outline.bad, stretches, messages, held)
    const longer = joined(stretches.map(stretch => reach(stretch, messages, outline, plan)))
    if (lengthOf(longer) === lengthOf(stretches)) {
      const healed = repairSegments(messages, stretches, outline.cuts, plan, {
        calls: outline.calls,
        items: new Map(),
      })
      return healed && { messages, stretches, healed }
    }
    stretches = longer
  }
  return undefined
}

const attemptsMax = 4

const lengthOf = (stretches: readonly Segment[]): number => stretches.reduce((sum, { from, to }) => sum + to - from, 0)

/** Reads the messages of stretches that are not held yet. */
function hold(
  path: string,
  bad: ReadonlySet<number>,
  stretches: readonly Segment[],
  messages: unknown[],
  held: Set<number>,
): void {
  let next = 0
  for (const { line, index } of messageLines(path, bad)) {
    if (index === undefined) continue
    while (next < stretches.length && index >= stretches[next].to) next++
    if (next === stretches.length) return
    if (index < stretches[next].from || held.has(index)) continue
    messages[index] = parseLine(line)
    held.add(index)
  }
}

/** A stretch with the turns that hold the calls of its results. */
function reach(
  { from, to }: Segment,
  messages: readonly unknown[],
  { calls, cuts, count }: Outline,
  plan: HealPlan,
): Segment {
  const { pairing } = new RuleContext(plan.codec.decode(messages, from, to), plan)
  let [start, end] = [from, to]
  for (const { part, call } of pairing.results) {
    if (part.id === '' || call?.part.id === part.id) continue
    const places = calls.get(part.id) ?? []
    const before = places.findLast(place => place < from)
    if (before !== undefined) start = Math.min(start, cuts.findLast(cut => cut <= before) ?? 0)
    else if (places.length > 0) end = Math.max(end, cuts.find(cut => cut > places[0]) ?? count)
  }
  return { from: start, to: end }
}

function joined(stretches: readonly Segment[]): Segment[] {
  const all: { from: number; to: number }[] = []
  for (const { from, to } of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    if (last && from < last.to) last.to = Math.max(last.to, to)
    else all.push({ from, to })
  }
  return all
}
