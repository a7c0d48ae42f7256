import { isDeepStrictEqual } from 'node:util'
import {
  type CallPart,
  type Conversation,
  isRecord,
  type Message,
  type Part,
  type ResultPart,
  resultText,
} from '../../src/core/conversation.ts'
import { applyEdits } from '../../src/core/edit.ts'
import { planFor } from '../../src/heal/options.ts'
import { placeholders } from './corruptions.ts'
import { idle } from './law.ts'
import type { Messages, Trial } from './trial.ts'

/**
 * Everything before the last step of the shorter history is as it was healed then. Both are cut between two messages, not
 * between the items of one. It may differ only where
 * - a later result answers a call of the prefix that has no real result yet (it beats a placeholder or an error), even
 *   after a later call of that id which has its own; one without an id answers the last step in front of it, of which a reader of single calls makes several, and one with an
 *   id that no call has may be for a call that has lost its own, or has that of a call beside it,
 * - a later system message must go first: then what stands after it must still be equal, but for the "(continue)" that
 *   opened the prefix only because no system message did,
 * - a later call has an id that a result in the prefix waits for, because it stands in front of every call with that id,
 *   or because such a call has another: it pairs with the only call that is open,
 * - a later item refers to stored ones: then a result without a visible call is not an orphan, in the prefix either,
 * - a call that the provider runs is open at the cut: a paused turn, which a later user message closes.
 */
export function stablePrefix(trial: Trial): string | typeof idle | undefined {
  const starts = new Set(trial.decoded.messages.map(({ origin }) => origin))
  for (const wanted of trial.subject.cuts) {
    let cut = wanted
    while (cut > 0 && cut < trial.messages.length && !starts.has(cut)) cut--
    const verdict = compare(trial, cut)
    if (verdict !== idle) return verdict
  }
  return idle
}

function compare(trial: Trial, cut: number): string | typeof idle | undefined {
  const { messages, codec, healer, options } = trial
  const shorter = messages.slice(0, cut)
  const decoded = codec.decode(shorter)
  const [early, late] = [decoded.messages, codec.decode(messages.slice(cut)).messages]
  const { facts } = planFor(messages, options)
  if (isAnsweredLater(early, late) || isAwaited(early, late) || late.some(isReference) || isPaused(early)) return idle

  const { repairs } = healer.repair(shorter, options)
  const edits = repairs.flatMap(repair => repair.edits)
  const healed = applyEdits(early, edits)
  const end = lastStep(early, healed)
  const prefix = codec.encode(healed.slice(0, end), upTo(decoded, healed[end]), shorter)
  const isUneven = decoded.asides?.length || decoded.format.fused
  const before = isUneven ? common(prefix, codec.encode(healed, decoded, shorter)) : prefix
  const isSystemMoved = facts.system !== 'anywhere' && late.some(isSystem)
  const skip = (wire: Messages): number => (isSystemMoved ? behindOpening(codec.decode(wire).messages, wire) : 0)
  const zone = before.slice(skip(before))
  if (zone.length === 0) return idle
  const after = trial.result.messages.slice(skip(trial.result.messages)).slice(0, zone.length)
  const at = zone.findIndex((message, index) => !isDeepStrictEqual(message, after[index]))
  return at < 0
    ? undefined
    : `unstable prefix: cut at ${cut}, ${JSON.stringify(zone[at])} became ${JSON.stringify(after[at])}`
}

/** The conversation without the asides after its last step, or after where a prefix ends: if that step goes, they stay. */
function upTo({ asides, ...decoded }: Conversation, next: Message | undefined): Conversation {
  const last = decoded.messages.findLast(({ parts }) => parts.some(isCall))?.origin ?? 0
  const end = Math.min(last, next?.origin ?? last)
  return asides ? { ...decoded, asides: asides.filter(aside => aside < end) } : decoded
}

/** What both begin with: asides of what was cut away stand at the end of a prefix, and so does half of a message with several steps. */
function common(prefix: Messages, whole: Messages): Messages {
  const end = prefix.findIndex((message, index) => !isDeepStrictEqual(message, whole[index]))
  return end < 0 ? prefix : prefix.slice(0, end)
}

/** Where the last step begins in the healed messages, which may have divided it; 0 if there is none. A call made up for a result is no step of it. */
function lastStep(early: readonly Message[], healed: readonly Message[]): number {
  const last = new Set(early.findLast(({ parts }) => parts.some(isCall))?.parts.map(({ raw }) => raw))
  const first = healed.findIndex(({ parts }) => parts.some(part => isCall(part) && last.has(part.raw)))
  return first >= 0
    ? first
    : Math.max(
        0,
        healed.findLastIndex(({ origin, parts }) => origin !== undefined && parts.some(isCall)),
      )
}

const isSystem = ({ role }: Message): boolean => role === 'system'

/** Where the wire goes on after its opening. */
const behindOpening = (messages: readonly Message[], wire: Messages): number =>
  messages[opening(messages)]?.origin ?? wire.length

/** How many system messages stand at the beginning, with the made-up user message after them. */
function opening(messages: readonly Message[]): number {
  let length = messages.findIndex(({ role }) => role !== 'system')
  if (length < 0) length = messages.length
  const [first] = messages[length]?.parts ?? []
  return first?.kind === 'text' && first.text === '(continue)' ? length + 1 : length
}

/** An item that stands for stored ones, and says nothing itself. */
const isReference = ({ role, parts }: Message): boolean =>
  role === 'other' && parts.some(({ raw }) => isRecord(raw) && (referring.has(raw.type) || isBareId(raw)))

const referring = new Set<unknown>(['item_reference', 'compaction', 'context_compaction'])

const isBareId = (raw: object): boolean => 'id' in raw && Object.keys(raw).length === 1

/** Whether a call that the provider runs waits for a result since the user last said anything. */
function isPaused(early: readonly Message[]): boolean {
  const open = new Map<string, number>()
  for (const { role, parts } of early) {
    if ((role === 'user' || role === 'system') && parts.some(hasWords)) open.clear()
    for (const part of parts) {
      if ((part.kind !== 'call' && part.kind !== 'result') || part.by === 'client') continue
      const key = `${part.callKind} ${part.id}`
      open.set(key, Math.max(0, (open.get(key) ?? 0) + (part.kind === 'call' ? 1 : -1)))
    }
  }
  return [...open.values()].some(count => count > 0)
}

/** What no rule takes out of a message: white space, thinking and calls do not make a user's message. */
const hasWords = (part: Part): boolean => part.kind === 'other' || (part.kind === 'text' && part.text.trim() !== '')

/**
 * Whether a result after the cut is for a call before it that is still without a real one. One with an id that no call has may
 * name its call by the id of its item.
 */
function isAnsweredLater(early: readonly Message[], late: readonly Message[]): boolean {
  const open = openIds(early)
  const called = new Set(parts([...early, ...late]).map(part => (isCall(part) ? part.id : '')))
  const hasUncertain = early.some(({ parts }) => sharesId(parts.filter(isCall)))
  const items = new Set(parts(early).map(part => (isCall(part) ? part.itemId : undefined)))
  const openLate = new Map<string, number>()
  let hasStep = false
  for (const part of parts(late)) {
    if (isCall(part)) {
      openLate.set(part.id, (openLate.get(part.id) ?? 0) + 1)
      hasStep = true
    } else if (!isResult(part)) continue
    else if (openLate.get(part.id)) openLate.set(part.id, (openLate.get(part.id) ?? 0) - 1)
    else if (part.id === '' ? !hasStep : open.has(part.id)) return true
    else if ((hasUncertain || items.has(part.id)) && !called.has(part.id)) return true
  }
  return false
}

/** The ids of calls that have no real result after them. A result is for the latest step that has its id. */
function openIds(messages: readonly Message[]): Set<string> {
  const calls: { id: string; step: number; isOpen: boolean }[] = []
  for (const [step, { parts }] of messages.entries()) {
    for (const part of parts) {
      if (isCall(part)) calls.push({ id: part.id, step, isOpen: true })
      else if (!isResult(part) || part.error || isPlaceholder(part)) continue
      else {
        const latest = calls.findLast(({ id }) => id === part.id)
        const answered = calls.find(({ id, step, isOpen }) => isOpen && id === part.id && step === latest?.step)
        if (answered) answered.isOpen = false
      }
    }
  }
  return new Set(calls.filter(({ isOpen }) => isOpen).map(({ id }) => id))
}

/** Whether a call has lost its id, or has that of a call beside it. */
const sharesId = (calls: readonly CallPart[]): boolean =>
  calls.some(({ id }) => id === '') || new Set(calls.map(({ id }) => id)).size < calls.length

/**
 * Whether a call after the cut has the id of a result before it that stands in front of every call with that id, or of a second
 * result of one. A result in an assistant message has a call made up for it.
 */
function isAwaited(early: readonly Message[], late: readonly Message[]): boolean {
  const open = new Map<string, number>()
  const waiting = new Set<string>()
  for (const part of parts(early)) {
    const count = isCall(part) || isResult(part) ? (open.get(part.id) ?? 0) : 0
    if (isCall(part)) open.set(part.id, count + 1)
    else if (!isResult(part)) continue
    else if (count > 0) open.set(part.id, count - 1)
    else waiting.add(part.id)
  }
  return late.some(({ role, parts }) =>
    parts.some(part => (isCall(part) || (role === 'assistant' && isResult(part))) && waiting.has(part.id)),
  )
}

const parts = (messages: readonly Message[]): Part[] => messages.flatMap(message => message.parts)

const isCall = (part: Part): part is CallPart => part.kind === 'call' && part.by === 'client'
const isResult = (part: Part): part is ResultPart => part.kind === 'result' && part.by === 'client'

const isPlaceholder = (part: ResultPart): boolean =>
  placeholders.some(text => resultText(part).trim().startsWith(text.slice(0, 24)))
