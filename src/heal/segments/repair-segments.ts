import type { Conversation, Message } from '../../core/conversation.ts'
import { ensure } from '../../core/invariant.ts'
import type { PairedResult } from '../../core/pairing/paired-calls.ts'
import type { Diagnostic } from '../../core/rules/check.ts'
import { type Repair, type Repaired, repairWithRules } from '../../core/rules/repair.ts'
import { RuleContext } from '../../core/rules/rule.ts'
import type { Settings } from '../../core/settings.ts'
import type { HealPlan } from '../plan.ts'
import { HistoryIdIndex, type IdIndex } from './id-index.ts'
import { withLostFields } from './lost-fields.ts'
import { type Segment, scanFor } from './scan-segments.ts'
import { SegmentIds } from './segment-ids.ts'

/** A healed history in its own format, with the report. */
export interface HealedHistory extends Omit<Repaired, 'messages'> {
  readonly messages: unknown[]
}

/** A healed segment, with the ids that would change how it is healed if they occurred elsewhere. */
export interface HealedSegment extends HealedHistory {
  readonly watched: readonly string[]
  /** Whether a result in a later segment may answer a call of its last step. */
  readonly leavesOpen: boolean
}

/** Heals a whole history. */
export function repairWhole(history: readonly unknown[], plan: HealPlan): HealedHistory {
  return repairSegment(openSegment(history, { from: 0, to: history.length }, plan), history, plan)
}

/** Heals the whole history of a request with these settings. */
export function repairWithin(history: readonly unknown[], settings: Settings, plan: HealPlan): HealedHistory {
  const { decoded, ...whole } = openSegment(history, { from: 0, to: history.length }, plan)
  const context = new RuleContext({ ...decoded, settings }, plan)
  return repairSegment({ ...whole, decoded, context }, history, plan)
}

/**
 * Heals each doubtful segment of a history by itself and leaves the rest unchanged. The result equals that of healing
 * the whole; if the two could differ, or nothing would be saved, it is undefined.
 */
export function repairSegments(
  history: readonly unknown[],
  segments: readonly Segment[],
  cuts: readonly number[],
  plan: HealPlan,
  idIndex: IdIndex = new HistoryIdIndex(history, plan.codec),
): HealedHistory | undefined {
  if (totalLength(segments) > history.length / 2) return undefined
  const opened = extendToCalls(history, segments, cuts, plan, idIndex)
  if (!opened || !canRepairIndependently(opened, plan, idIndex)) return undefined
  const messages: unknown[] = []
  const repairs: Repair[] = []
  const remaining: Diagnostic[] = []
  const renamed = new SegmentIds()
  let at = 0
  const { from, key } = opened.at(-1) ?? { from: 0, key: 0 }
  // Keys count the messages of the whole history; a message that a repair inserts gets the first key after them.
  let fresh = key + plan.codec.count(history, from, history.length)
  for (const segment of opened) {
    ensure(at <= segment.from && segment.to <= history.length, 'segments are in order and do not overlap')
    const healed = repairSegment(segment, history, plan, fresh)
    if (healed.repairs.some(createsIds)) return undefined
    if (!renamed.claim(segment, renamedIds(healed))) return undefined
    while (at < segment.from) messages.push(history[at++])
    for (const message of healed.messages) messages.push(message)
    for (const diagnostic of healed.remaining) remaining.push(diagnostic)
    for (const entry of healed.repairs) repairs.push(entry)
    fresh += healed.repairs.flatMap(({ edits }) => edits).filter(({ kind }) => kind === 'insert').length
    at = segment.to
  }
  if (!renamed.areLocal(idIndex, 'calls')) return undefined
  while (at < history.length) messages.push(history[at++])
  return { messages, repairs, remaining }
}

/**
 * Heals one segment by itself, with keys from `key` on; undefined if its defects concern more than the segment. The
 * cost is proportional to the length of the segment. With `afterOpen` a segment before it left a call open.
 */
export function repairOneSegment(
  history: readonly unknown[],
  segment: Segment,
  key: number,
  plan: HealPlan,
  idIndex: IdIndex,
  afterOpen: boolean,
): HealedSegment | undefined {
  const opened = openSegment(history, segment, plan, key)
  const callOwners = new SegmentIds()
  callOwners.claim(opened, [...unmatchedIds(opened)])
  if (!callOwners.areLocal(idIndex, 'calls') || !canRepairIndependently([opened], plan, idIndex, afterOpen))
    return undefined
  const healed = repairSegment(opened, history, plan)
  if (healed.repairs.some(createsIds)) return undefined
  const renamed = renamedIds(healed)
  callOwners.claim(opened, renamed)
  return callOwners.areLocal(idIndex, 'calls')
    ? { ...healed, watched: [...watchedIds(opened, plan), ...renamed], leavesOpen: leavesOpen(opened) }
    : undefined
}

/**
 * Ids that change how a segment is healed if they occur again: of results that wait for a call, and of calls and items
 * that must stay unique.
 */
function watchedIds(segment: OpenSegment, plan: HealPlan): string[] {
  const { context } = segment
  const waiting = context.pairing.results
    .filter(result => !result.call || isUnmatched(result) || result.position < result.call.step.position)
    .map(({ part }) => part.id)
    .filter(id => id !== '')
  return [...waiting, ...ownIds(segment, plan), ...(plan.codec.itemIds ? itemIds(context) : [])]
}

const totalLength = (segments: readonly Segment[]): number => segments.reduce((sum, { from, to }) => sum + to - from, 0)

/** Rules that make up ids or calls read the whole history, so that no id occurs twice. */
const rulesCreatingIds = new Set(['empty-id', 'malformed-id', 'wrong-side'])

/** The orphan rule does too, if the id of the result cannot be used for its call. */
const createsIds = ({ rule, edits }: Repair): boolean =>
  rulesCreatingIds.has(rule) || (rule === 'orphan-result' && edits.some(({ kind }) => kind === 'rewrite'))

/** The old and the new ids of renamed duplicate calls. A new id is derived from the old one, and must not be that of another call. */
function renamedIds({ repairs }: HealedHistory): string[] {
  const ids: string[] = []
  for (const { rule, edits } of repairs) {
    if (rule !== 'duplicate-call-id') continue
    for (const edit of edits) {
      if (edit.kind !== 'rewrite' || edit.before.kind !== 'call' || edit.after.kind !== 'call') continue
      ids.push(edit.before.id, edit.after.id)
    }
  }
  return ids
}

interface OpenSegment extends Segment {
  /** The key of its first message. */
  readonly key: number
  readonly decoded: Conversation
  readonly context: RuleContext
}

function openSegment(history: readonly unknown[], { from, to }: Segment, plan: HealPlan, key = 0): OpenSegment {
  const cut = { cutBefore: from > 0, cutAfter: to < history.length }
  const conversation = plan.codec.decode(history, from, to, key)
  const decoded = { ...conversation, ...cut, continues: conversation.continues || plan.continues }
  return { from, to, key, decoded, context: new RuleContext(decoded, plan) }
}

function repairSegment(
  { from, to, decoded, context }: OpenSegment,
  history: readonly unknown[],
  plan: HealPlan,
  fresh?: number,
): HealedHistory {
  let messages: unknown[] = []
  const isHealthy = (repaired: readonly Message[]): boolean => {
    messages = plan.codec.encode(repaired, decoded, history)
    if (context.settings) return false
    const scan = scanFor(plan.codec, plan.facts)
    if (from > 0) scan.resume()
    return (
      messages.every(message => scan.push(message)) &&
      (to < history.length ? endsWithAssistant(messages, plan) : scan.end())
    )
  }
  const { messages: _, ...rest } = repairWithRules(context, plan, isHealthy, fresh)
  if (rest.repairs.length === 0) return { ...rest, messages: history.slice(from, to) }
  const { root } = decoded.format
  const segment = { from, to, decoded: decoded.messages, written: messages, root }
  return { ...rest, repairs: withLostFields(rest.repairs, segment, history), messages }
}

/** Whether the last message is an assistant message that closes the turn. */
const endsWithAssistant = (messages: readonly unknown[], { codec }: HealPlan): boolean =>
  codec.closesTurn(messages.findLast(message => !codec.isAside?.(message)))

/**
 * The segments, extended as far as necessary: to the latest turn before the segment that has a call with the id of an unmatched result;
 * if there is none, to the first such turn after it. Undefined if that does not converge.
 */
function extendToCalls(
  history: readonly unknown[],
  segments: readonly Segment[],
  cuts: readonly number[],
  plan: HealPlan,
  idIndex: IdIndex,
): OpenSegment[] | undefined {
  let opened = openSegments(history, segments, plan)
  for (let attempt = 0; attempt < 4; attempt++) {
    const longer = opened.map(current => {
      const { from, to } = current
      const segment = { from, to }
      for (const id of unmatchedIds(current)) {
        const known = idIndex.calls.get(id) ?? []
        const before = known[countUpTo(known, from - 1) - 1]
        const after = known[countUpTo(known, to - 1)]
        if (before !== undefined) segment.from = Math.min(segment.from, cuts[countUpTo(cuts, before) - 1] ?? 0)
        else if (after !== undefined) segment.to = Math.max(segment.to, cuts[countUpTo(cuts, after)] ?? history.length)
      }
      return segment
    })
    if (longer.every(({ from, to }, index) => from === opened[index]?.from && to === opened[index].to)) return opened
    opened = openSegments(history, joinOverlapping(longer), plan, opened)
  }
  return undefined
}

const unmatchedIds = ({ context }: OpenSegment): Set<string> =>
  new Set(context.pairing.results.filter(isUnmatched).map(({ part }) => part.id))

/** A result whose call has a different id, or that has no call. It may be paired by its name. */
const isUnmatched = ({ call, part }: PairedResult): boolean => part.id !== '' && call?.part.id !== part.id

/** Opens segments in order; those that are open already are reused. */
function openSegments(
  history: readonly unknown[],
  segments: readonly Segment[],
  plan: HealPlan,
  known: readonly OpenSegment[] = [],
): OpenSegment[] {
  let last: { from: number; key: number } = { from: 0, key: 0 }
  let next = 0
  return segments.map(segment => {
    for (let before = known[next]; before && before.from <= segment.from; before = known[++next]) last = before
    const same = known[next - 1]
    if (same?.from === segment.from && same.to === segment.to) return same
    const opened = openSegment(history, segment, plan, last.key + plan.codec.count(history, last.from, segment.from))
    last = opened
    return opened
  })
}

/** The number of sorted indexes up to and including a value, by binary search. */
export function countUpTo(indexes: readonly number[], place: number): number {
  let low = 0
  let high = indexes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const index = indexes[middle]
    if (index !== undefined && index <= place) low = middle + 1
    else high = middle
  }
  return low
}

/** Joins overlapping segments. */
function joinOverlapping(segments: readonly Segment[]): Segment[] {
  const joined: { from: number; to: number }[] = []
  for (const { from, to } of [...segments].sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last && from < last.to) last.to = Math.max(last.to, to)
    else joined.push({ from, to })
  }
  return joined
}

/**
 * Whether no defect in the segments concerns the whole history: system messages that must be first, ids that must be
 * unique, results that may belong to a step before their segment, a conversation that the provider stores in part.
 */
function canRepairIndependently(
  opened: readonly OpenSegment[],
  plan: HealPlan,
  idIndex: IdIndex,
  afterOpen = false,
): boolean {
  const callOwners = new SegmentIds()
  const items = new SegmentIds()
  let isAfterOpen = afterOpen
  for (const segment of opened) {
    if (concernsMore(segment, plan, isAfterOpen)) return false
    isAfterOpen ||= leavesOpen(segment)
    if (!callOwners.claim(segment, sharedCallIds(segment, plan))) return false
    if (plan.codec.itemIds && !items.claim(segment, itemIds(segment.context))) return false
  }
  return callOwners.areLocal(idIndex, 'calls') && items.areLocal(idIndex, 'items')
}

/** Whether a call of its last step has no result with its id: a named result in a later segment may answer it, by a similar id. */
function leavesOpen({ context: { pairing } }: OpenSegment): boolean {
  const calls = pairing.steps.at(-1)?.calls ?? []
  return calls.some(({ part, results }) => results.every(result => result.part.id !== part.id))
}

/** Whether a segment has a message that belongs elsewhere, or may answer a step before it. */
function concernsMore(
  { context, from }: OpenSegment,
  { facts, codec, continues }: HealPlan,
  isAfterOpen: boolean,
): boolean {
  const { messages, pairing } = context
  if (context.continues && !continues) return true
  if (facts.system !== 'anywhere' && from > 0 && messages.some(({ role }) => role === 'system')) return true
  const firstStep = pairing.steps[0]?.position ?? messages.length
  const { idless, exactIds } = codec.format
  return pairing.results.some(
    ({ part, call, position }) =>
      !call && position < firstStep && (part.id === '' || idless || (isAfterOpen && !exactIds && !!part.name)),
  )
}

/** The ids that no call of another segment may have: a result in this segment might belong to that call. */
function sharedCallIds(segment: OpenSegment, plan: HealPlan): string[] {
  const { pairing } = segment.context
  const watchesOrphans = plan.continues || plan.choices.orphans === 'revive'
  const ids = [...ownIds(segment, plan)]
  for (const { part, results } of pairing.calls) if (results.length > 1 && part.id !== '') ids.push(part.id)
  for (const { part, call, position } of pairing.results)
    if (part.id !== '' && (call ? position < call.step.position : watchesOrphans)) ids.push(part.id)
  return ids
}

/** The ids of calls that no other segment may have. */
const ownIds = ({ context }: OpenSegment, { facts }: HealPlan): readonly string[] =>
  facts.uniqueIds === 'history' ? context.pairing.calls.map(call => call.part.id) : []

/** The ids of items, and of unmatched results: such a result may have the id of an item. */
function itemIds({ messages, pairing }: RuleContext): string[] {
  const ids: string[] = []
  for (const { itemId, parts } of messages) {
    if (itemId) ids.push(itemId)
    for (const part of parts) if (part.itemId) ids.push(part.itemId)
  }
  for (const result of pairing.results) if (isUnmatched(result)) ids.push(result.part.id)
  return ids
}
