import { hasClientCall, type Message, type Part } from './conversation.ts'
import type { Pairing } from './pairing/pairs.ts'
import type { Scene } from './rules/rule.ts'

/** Where a conversation can be cut so that nothing is torn apart and its reader takes the rest. Positions, ascending. */
export interface Cuts {
  /** How many system messages stand at the beginning. They stay, whatever goes. */
  readonly lead: number
  /** From here on, everything can stand directly behind the lead. */
  readonly safe: readonly number[]
  /** Those of them where the user opens a turn. */
  readonly turns: readonly number[]
  /** What the user says at the beginning of the last turn, from `from` up to `to`. */
  readonly opening: { readonly from: number; readonly to: number } | undefined
  /** Inside the last turn: from here on, everything can stand directly behind the lead and the opening. */
  readonly steps: readonly number[]
}

/** With `held` the provider has the beginning of the conversation, whatever the messages refer to. */
export function cutsOf(scene: Scene, held: boolean): Cuts {
  const { messages } = scene
  const speakers = nextSpeakers(messages)
  const torn = tornCuts(scene, held, speakers)
  const isWhole = (position: number): boolean => !torn[position] && startsWire(messages, position)
  const lead = leadOf(messages)
  const begins = beginnings(scene, lead, speakers)
  const safe: number[] = []
  const turns: number[] = []
  let opening: number | undefined
  let asking = false
  for (let position = lead; position < messages.length; position++) {
    const { role } = messages[position]
    if (role === 'assistant' || role === 'tool') asking = false
    if (!isWhole(position) || !begins(position)) continue
    if (position > lead) safe.push(position)
    if (asking || messages[speakers[position]].role !== 'user') continue
    asking = true
    opening = position
    if (position > lead) turns.push(position)
  }
  if (opening === undefined) return { lead, safe, turns, opening, steps: [] }
  let to = speakers[opening]
  while (isAsking(messages[to])) to++
  const steps: number[] = []
  for (let position = to + 1; position < messages.length; position++) {
    if (messages[position].role === 'assistant' && isWhole(position)) steps.push(position)
  }
  return { lead, safe, turns, opening: { from: opening, to }, steps: startsWire(messages, to) ? steps : [] }
}

const isAsking = (message: Message | undefined): boolean => message?.role === 'user' || message?.role === 'system'

/** Whether a message of the wire begins here: one that was read as several stays in one piece. */
const startsWire = (messages: readonly Message[], position: number): boolean =>
  messages[position - 1]?.origin !== messages[position]?.origin

/** For each position the next one, itself included, where user, assistant or tool speaks. */
function nextSpeakers(messages: readonly Message[]): Int32Array {
  const next = new Int32Array(messages.length).fill(messages.length)
  for (let position = messages.length - 1; position >= 0; position--) {
    const { role } = messages[position]
    if (role !== 'system' && role !== 'other') next[position] = position
    else if (position + 1 < messages.length) next[position] = next[position + 1]
  }
  return next
}

/** The system messages at the beginning that share no message of the wire with anything else. */
function leadOf(messages: readonly Message[]): number {
  let lead = 0
  while (messages[lead]?.role === 'system') lead++
  while (lead > 0 && !startsWire(messages, lead)) lead--
  return lead
}

/** 1 where a cut in front of a message separates what belongs together. */
function tornCuts(scene: Scene, held: boolean, speakers: Int32Array): Uint8Array {
  const { messages, wire } = scene
  const ties = new Ties(messages.length)
  tieResults(scene, held, ties)
  tieProviderCalls(messages, ties)
  tieApprovals(messages, ties)
  const torn = ties.spanned()
  let reasoned = false
  for (let position = 0; position < messages.length; position++) {
    const { role, parts } = messages[position]
    if (role === 'user') reasoned = false
    const speaker = messages[speakers[position]]
    // What cannot be read may speak of what stands in front of it.
    if (role === 'other') torn[position] = 1
    if (reasoned && speaker?.role === 'assistant' && speaker.parts[0]?.kind !== 'reasoning') torn[position] = 1
    // A field of a message goes and stays with it; blocks and items lead to all that follows in their turn.
    if (wire.reasoning === 'field') continue
    if (role === 'other' || (role === 'assistant' && parts.some(part => part.kind === 'reasoning'))) reasoned = true
  }
  return torn
}

/** Pairs of positions that no cut may come between. `#opened` counts the pairs that open at a position, less those that close. */
class Ties {
  readonly #opened: Int32Array

  constructor(length: number) {
    this.#opened = new Int32Array(length + 2)
  }

  tie(first: number, last: number): void {
    if (first >= last) return
    this.#opened[first + 1]++
    this.#opened[last + 1]--
  }

  /** 1 at every position that has the first of a pair before it, and the last at it or behind it. */
  spanned(): Uint8Array {
    const spanned = new Uint8Array(this.#opened.length - 2)
    let open = 0
    for (let position = 0; position < spanned.length; position++) {
      open += this.#opened[position]
      if (open > 0) spanned[position] = 1
    }
    return spanned
  }
}

/** A call and everything that was meant for it. Results of calls that the provider holds stay with what refers to those. */
function tieResults({ messages, pairing, continues }: Scene, held: boolean, ties: Ties): void {
  for (const { step, results } of pairing.calls) {
    for (const { position } of results) ties.tie(Math.min(step.position, position), Math.max(step.position, position))
  }
  tieRivals(pairing, ties)
  const strangers = continues ? pairing.results.filter(result => !result.call) : []
  if (strangers.length === 0) return
  const reference = messages.findIndex(message => message.role === 'other')
  if (reference >= 0) ties.tie(reference, strangers[strangers.length - 1].position)
  if (held) ties.tie(strangers[0].position, messages.length)
}

/** A second result with the open calls of its id in front of it: if all but one of those were cut away, it would be taken for that one's. */
function tieRivals({ calls }: Pairing, ties: Ties): void {
  const doubled = calls.filter(({ results }) => results.length > 1)
  if (doubled.length === 0) return
  const firstOpen = new Map<string, number>()
  for (const { part, step, results } of calls)
    if (results.length === 0 && !firstOpen.has(part.id)) firstOpen.set(part.id, step.position)
  for (const { part, results } of doubled) {
    const open = firstOpen.get(part.id)
    if (open !== undefined) for (const { position } of results) ties.tie(open, position)
  }
}

/** Both halves of a call that the provider runs, in whichever messages of their turn they stand. */
function tieProviderCalls(messages: readonly Message[], ties: Ties): void {
  const open = new Map<string, number>()
  for (let position = 0; position < messages.length; position++) {
    const message = messages[position]
    if (isAsking(message)) open.clear()
    for (const part of message.parts) {
      if ((part.kind !== 'call' && part.kind !== 'result') || part.by !== 'provider') continue
      if (part.kind === 'result') ties.tie(open.get(part.id) ?? position, position)
      else if (!open.has(part.id)) open.set(part.id, position)
    }
  }
}

/** A call with the requests for its approval and the answers to them, which all stand in its turn. */
function tieApprovals(messages: readonly Message[], ties: Ties): void {
  const first = new Map<string, number>()
  for (let position = 0; position < messages.length; position++) {
    const message = messages[position]
    if (isAsking(message)) first.clear()
    for (const part of message.parts) {
      for (const id of approvalsOf(part)) {
        if (first.has(id)) ties.tie(first.get(id) as number, position)
        else first.set(id, position)
      }
    }
  }
}

function approvalsOf(part: Part): readonly string[] {
  if (part.kind === 'call') return part.requests ?? []
  return part.kind === 'other' && part.approval ? [part.approval.id] : []
}

/** Whether the reader takes a message, and all behind it, directly behind the lead. Nobody takes a result there. */
function beginnings({ messages, facts }: Scene, lead: number, speakers: Int32Array): (position: number) => boolean {
  const lastUser = messages.findLastIndex(message => message.role === 'user')
  return position => {
    if (facts.noUser === 'refuse' && position > lastUser) return false
    if (facts.systems === 'one' && messages[position].role === 'system') return false
    const speaker = messages[speakers[position]]
    if (speaker?.role !== 'assistant') return speaker?.role === 'user'
    if (facts.firstAssistant === 'refuse') return false
    const isFirst = lead === 0 && speakers[position] === position
    const mayCall = facts.firstAssistant === 'accept' || (facts.firstAssistant === 'refuse-calls' && !isFirst)
    return mayCall || !hasClientCall(speaker)
  }
}
