import type { Conversation, Message } from '../../core/conversation.ts'
import type { PairedResult } from '../../core/pairing/paired-calls.ts'
import type { Diagnostic } from '../../core/rules/check.ts'
import { type Repair, type Repaired, repairWithRules } from '../../core/rules/repair.ts'
import { RuleContext } from '../../core/rules/rule.ts'
import type { Settings } from '../../core/settings.ts'
import type { Plan } from '../plan.ts'
import { type Places, PlacesIn } from './id-index.ts'
import { type Stretch, scanFor } from './scan-segments.ts'
import { Owners } from './segment-ids.ts'

/** A healed history on the wire, with its report. */
export interface Healed extends Omit<Repaired, 'messages'> {
  readonly messages: unknown[]
}

/** Heals all of a history at once. */
export function repairWhole(history: readonly unknown[], plan: Plan): Healed {
  return repairStretch(open(history, { from: 0, to: history.length }, plan), history, plan)
}

/** Heals all of the history of a request that says this beside it. */
export function repairWithin(history: readonly unknown[], settings: Settings, plan: Plan): Healed {
  const { decoded, ...whole } = open(history, { from: 0, to: history.length }, plan)
  const scene = new RuleContext({ ...decoded, settings }, plan)
  return repairStretch({ ...whole, decoded, scene }, history, plan)
}

/**
 * Heals the doubtful stretches of a history each by itself and leaves the rest as it is. The outcome is that of healing
 * all of it at once; where the two could differ, or nothing would be won, it is undefined.
 */
export function repairStretches(
  history: readonly unknown[],
  stretches: readonly Stretch[],
  cuts: readonly number[],
  plan: Plan,
  places: Places = new PlacesIn(history, plan.codec),
): Healed | undefined {
  if (lengthOf(stretches) > history.length / 2) return undefined
  const opened = reachOut(history, stretches, cuts, plan, places)
  if (!opened || !standAlone(opened, plan, places)) return undefined
  const messages: unknown[] = []
  const repairs: Repair[] = []
  const remaining: Diagnostic[] = []
  const renamed = new Owners()
  let at = 0
  const { from, key } = opened[opened.length - 1] ?? { from: 0, key: 0 }
  let fresh = key + plan.codec.count(history, from, history.length)
  for (const stretch of opened) {
    const healed = repairStretch(stretch, history, plan, fresh)
    if (healed.repairs.some(makesUpIds)) return undefined
    if (!renamed.take(stretch, renamedIds(healed))) return undefined
    while (at < stretch.from) messages.push(history[at++])
    for (const message of healed.messages) messages.push(message)
    for (const diagnostic of healed.remaining) remaining.push(diagnostic)
    for (const entry of healed.repairs) {
      repairs.push(entry)
      for (const edit of entry.edits) if (edit.kind === 'insert') fresh++
    }
    at = stretch.to
  }
  if (!renamed.haveAll(places.calls)) return undefined
  while (at < history.length) messages.push(history[at++])
  return { messages, repairs, remaining }
}

/**
 * Heals one stretch by itself, with keys from `key` on; undefined if what is wrong there is a matter of more than itself. It
 * costs what the stretch is long, wherever that stands.
 */
export function repairAlone(
  history: readonly unknown[],
  stretch: Stretch,
  key: number,
  plan: Plan,
  places: Places,
): (Healed & { readonly watched: readonly string[] }) | undefined {
  const opened = open(history, stretch, plan, key)
  const owners = new Owners()
  owners.take(opened, [...lostIds(opened)])
  if (!owners.haveAll(places.calls) || !standAlone([opened], plan, places)) return undefined
  const healed = repairStretch(opened, history, plan)
  if (healed.repairs.some(makesUpIds)) return undefined
  const renamed = renamedIds(healed)
  owners.take(opened, renamed)
  return owners.haveAll(places.calls) ? { ...healed, watched: [...watchedIds(opened, plan), ...renamed] } : undefined
}

/** Ids that, when they come again, shed new light on a stretch: of results that wait for a call, of calls and items that must stay unique. */
function watchedIds(stretch: Opened, plan: Plan): string[] {
  const { scene } = stretch
  const waiting = scene.pairing.results
    .filter(result => !result.call || isLost(result) || result.position < result.call.step.position)
    .map(({ part }) => part.id)
    .filter(id => id !== '')
  return [...waiting, ...ownIds(stretch, plan), ...(plan.codec.itemId ? itemIds(scene) : [])]
}

const lengthOf = (stretches: readonly Stretch[]): number => stretches.reduce((sum, { from, to }) => sum + to - from, 0)

/** Rules that make up ids or calls look at all of a history, so that none comes twice. */
const minting = new Set(['empty-id', 'malformed-id', 'wrong-side'])

/** So does the rule for orphans where the id of the result cannot be that of its call. */
const makesUpIds = ({ rule, edits }: Repair): boolean =>
  minting.has(rule) || (rule === 'orphan-result' && edits.some(({ kind }) => kind === 'rewrite'))

/** The ids of calls that had to be told apart, before and after: made up from one another, if no other call has them. */
function renamedIds({ repairs }: Healed): string[] {
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

interface Opened extends Stretch {
  /** The key of its first message. */
  readonly key: number
  readonly decoded: Conversation
  readonly scene: RuleContext
}

function open(history: readonly unknown[], { from, to }: Stretch, plan: Plan, key = 0): Opened {
  const cut = { cutBefore: from > 0, cutAfter: to < history.length }
  const conversation = plan.codec.decode(history, from, to, key)
  const decoded = { ...conversation, ...cut, continues: conversation.continues || plan.continues }
  return { from, to, key, decoded, scene: new RuleContext(decoded, plan) }
}

function repairStretch(
  { from, to, decoded, scene }: Opened,
  history: readonly unknown[],
  plan: Plan,
  fresh?: number,
): Healed {
  let messages: unknown[] = []
  const isHealthy = (repaired: readonly Message[]): boolean => {
    messages = plan.codec.encode(repaired, decoded, history)
    if (scene.settings) return false
    const scan = scanFor(plan.codec, plan.facts)
    if (from > 0) scan.resume()
    return messages.every(message => scan.push(message)) && (to < history.length ? closes(messages, plan) : scan.end())
  }
  const { messages: _, ...mended } = repairWithRules(scene, plan, isHealthy, fresh)
  return { ...mended, messages: mended.repairs.length > 0 ? messages : history.slice(from, to) }
}

/** Whether the assistant has the last word. */
const closes = (messages: readonly unknown[], { codec }: Plan): boolean =>
  codec.closesTurn(messages.findLast(message => !codec.isAside?.(message)))

/**
 * The stretches, each made as long as it must be: a result that finds no call in its own reaches back to the latest turn
 * that has its id, or on to the only one that has. Undefined if that goes on and on.
 */
function reachOut(
  history: readonly unknown[],
  stretches: readonly Stretch[],
  cuts: readonly number[],
  plan: Plan,
  places: Places,
): Opened[] | undefined {
  let opened = openAll(history, stretches, plan)
  for (let attempt = 0; attempt < 4; attempt++) {
    const lost = opened.map(lostIds)
    if (lost.every(ids => ids.size === 0)) return opened
    const longer = opened.map(({ from, to }, index) => {
      const stretch = { from, to }
      for (const id of lost[index]) {
        const known = places.calls.get(id) ?? []
        const before = known[upTo(known, from - 1) - 1]
        const after = known[upTo(known, to - 1)]
        if (before !== undefined) stretch.from = Math.min(stretch.from, cuts[upTo(cuts, before) - 1] ?? 0)
        else if (after !== undefined) stretch.to = Math.max(stretch.to, cuts[upTo(cuts, after)] ?? history.length)
      }
      return stretch
    })
    if (longer.every(({ from, to }, index) => from === opened[index].from && to === opened[index].to)) return opened
    opened = openAll(history, join(longer), plan, opened)
  }
  return undefined
}

const lostIds = ({ scene }: Opened): Set<string> =>
  new Set(scene.pairing.results.filter(isLost).map(({ part }) => part.id))

/** A result that found no call with its id, though it may have paired by its name. */
const isLost = ({ call, part }: PairedResult): boolean => part.id !== '' && call?.part.id !== part.id

/** Opens stretches, in their order; those that are open already stay as they are. */
function openAll(
  history: readonly unknown[],
  stretches: readonly Stretch[],
  plan: Plan,
  known: readonly Opened[] = [],
): Opened[] {
  let last: { from: number; key: number } = { from: 0, key: 0 }
  let next = 0
  return stretches.map(stretch => {
    while (next < known.length && known[next].from <= stretch.from) last = known[next++]
    const same = known[next - 1]
    if (same?.from === stretch.from && same.to === stretch.to) return same
    const opened = open(history, stretch, plan, last.key + plan.codec.count(history, last.from, stretch.from))
    last = opened
    return opened
  })
}

/** How many of these, in order, stand at a place or in front of it. */
function upTo(places: readonly number[], place: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (places[middle] <= place) low = middle + 1
    else high = middle
  }
  return low
}

/** Overlapping stretches become one. */
function join(stretches: readonly Stretch[]): Stretch[] {
  const joined: { from: number; to: number }[] = []
  for (const { from, to } of stretches.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last && from < last.to) last.to = Math.max(last.to, to)
    else joined.push({ from, to })
  }
  return joined
}

/**
 * Whether nothing in the stretches is a matter of the whole: system messages that must go first, ids that must be unique,
 * results that may belong to a step in front of their stretch, a part of the conversation that the provider holds.
 */
function standAlone(opened: readonly Opened[], plan: Plan, places: Places): boolean {
  const { facts, codec, continues, choices } = plan
  const watchesOrphans = continues || choices.orphans === 'revive'
  const owners = new Owners()
  const items = new Owners()
  for (const stretch of opened) {
    const { messages, pairing } = stretch.scene
    if (stretch.scene.continues && !continues) return false
    if (facts.system !== 'anywhere' && stretch.from > 0 && messages.some(({ role }) => role === 'system')) return false
    const ids = [...ownIds(stretch, plan)]
    const firstStep = pairing.steps[0]?.position ?? messages.length
    // A second result may be that of a call elsewhere that has the same id.
    for (const { part, results } of pairing.calls) if (results.length > 1 && part.id !== '') ids.push(part.id)
    for (const { part, call, position } of pairing.results) {
      if (!call && position < firstStep && (part.id === '' || codec.wire.idless)) return false
      if (call ? position < call.step.position : watchesOrphans) ids.push(part.id)
    }
    if (!owners.take(stretch, ids) || (codec.itemId && !items.take(stretch, itemIds(stretch.scene)))) return false
  }
  return owners.haveAll(places.calls) && items.haveAll(places.items)
}

/** The ids of calls that no other stretch may have. */
const ownIds = ({ scene }: Opened, { facts }: Plan): readonly string[] =>
  facts.uniqueIds === 'history' ? scene.pairing.calls.map(call => call.part.id) : []

/** The ids of items, and those of results without a call: such a result may name an item. */
function itemIds({ messages, pairing }: RuleContext): string[] {
  const ids: string[] = []
  for (const { itemId, parts } of messages) {
    if (itemId) ids.push(itemId)
    for (const part of parts) if (part.itemId) ids.push(part.itemId)
  }
  for (const result of pairing.results) if (isLost(result)) ids.push(result.part.id)
  return ids
}
