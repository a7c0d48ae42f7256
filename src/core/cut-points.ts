import { hasClientCall, isAside, isRoleOnly, joinsUser, type Message, type Part } from './conversation.ts'
import type { Pairing } from './pairing/paired-calls.ts'
import type { RuleContext } from './rules/rule.ts'

/**
 * Where a conversation can be cut so that nothing that belongs together is separated and the provider accepts the rest.
 * Positions, ascending.
 */
export interface CutPoints {
  /** The number of system messages at the beginning. They always stay. */
  readonly lead: number
  /** The messages from such a position to the end may directly follow the lead. */
  readonly safe: readonly number[]
  /** The safe positions where a user message opens a turn. */
  readonly turns: readonly number[]
  /** The user messages at the beginning of the last turn, from `from` to before `to`. */
  readonly opening: { readonly from: number; readonly to: number } | undefined
  /** Inside the last turn: the messages from such a position to the end may directly follow the lead and the opening. */
  readonly steps: readonly number[]
}

/** With `held` the provider stores the beginning of the conversation, whatever the messages refer to. */
export function findCutPoints(context: RuleContext, held: boolean): CutPoints {
  const { messages } = context
  const speakers = nextSpeakers(messages)
  const forbidden = forbiddenCuts(context, held, speakers)
  const isWhole = (position: number): boolean => !forbidden[position] && startsSourceMessage(messages, position)
  const lead = countLeadingSystem(messages)
  const mayStart = startChecker(context, lead, speakers)
  const safe: number[] = []
  const turns: number[] = []
  let opening: { readonly from: number; readonly user: Message } | undefined
  let asking = false
  let position = -1
  for (const { role } of messages) {
    position++
    if (position < lead) continue
    if (role === 'assistant' || role === 'tool') asking = false
    if (!isWhole(position) || !mayStart(position)) continue
    if (position > lead) safe.push(position)
    const speaker = speakers[position]
    if (asking || speaker?.role !== 'user') continue
    asking = true
    opening = { from: position, user: speaker }
    if (position > lead) turns.push(position)
  }
  if (opening === undefined) return { lead, safe, turns, opening, steps: [] }
  const { from, user } = opening
  let to = messages.indexOf(user, from)
  while (isAsking(messages[to])) to++
  const steps: number[] = []
  // Of an opening and steps that only the client displays, nothing would be sent.
  const end = messages.slice(from, to).some(isSent) ? messages.length : messages.findLastIndex(isSent) + 1
  for (let position = to + 1; position < end; position++) {
    if (messages[position]?.role === 'assistant' && isWhole(position)) steps.push(position)
  }
  return { lead, safe, turns, opening: { from, to }, steps: startsSourceMessage(messages, to) ? steps : [] }
}

/** Whether a message has more than content that only the client displays. */
const isSent = ({ parts }: Message): boolean => parts.length === 0 || !parts.every(isAside)

const isAsking = (message: Message | undefined): boolean => message?.role === 'user' || message?.role === 'system'

/** Whether a source message begins here: one that was decoded into several messages is not cut. */
const startsSourceMessage = (messages: readonly Message[], position: number): boolean =>
  messages[position - 1]?.origin !== messages[position]?.origin

/** For each position, the first message from it on that is a user, assistant or tool message. */
type Speakers = readonly (Message | undefined)[]

function nextSpeakers(messages: readonly Message[]): Speakers {
  const speakers: (Message | undefined)[] = [...messages]
  let next: Message | undefined
  for (let position = messages.length - 1; position >= 0; position--) {
    const message = messages[position]
    if (message?.role !== 'system' && message?.role !== 'other') next = message
    speakers[position] = next
  }
  return speakers
}

/** The number of system messages at the beginning that share no source message with others. */
function countLeadingSystem(messages: readonly Message[]): number {
  let lead = 0
  while (messages[lead]?.role === 'system') lead++
  while (lead > 0 && !startsSourceMessage(messages, lead)) lead--
  return lead
}

/** 1 where a cut directly before a message would separate what belongs together. */
function forbiddenCuts(context: RuleContext, held: boolean, speakers: Speakers): Uint8Array {
  const { messages, format } = context
  const ties = new Ties(messages.length)
  tieResults(context, held, ties)
  tieProviderCalls(messages, ties)
  tieApprovals(messages, ties)
  const forbidden = ties.spanned()
  let reasoned = false
  let position = -1
  for (const { role, parts } of messages) {
    position++
    if (role === 'user') reasoned = false
    const speaker = speakers[position]
    // An unreadable message may refer to the messages before it.
    if (role === 'other') forbidden[position] = 1
    if (reasoned && speaker?.role === 'assistant' && speaker.parts[0]?.kind !== 'reasoning') forbidden[position] = 1
    // Reasoning in a field belongs to its message alone; blocks and items belong to everything after them in their
    // turn.
    if (format.reasoning === 'field') continue
    if (role === 'other' || (role === 'assistant' && parts.some(part => part.kind === 'reasoning'))) reasoned = true
  }
  return forbidden
}

/**
 * Pairs of positions that no cut may separate, as a difference array: `#opened` counts the pairs that open at a
 * position, minus those that close.
 */
class Ties {
  readonly #opened: Int32Array

  constructor(length: number) {
    this.#opened = new Int32Array(length + 2)
  }

  tie(first: number, last: number): void {
    if (first >= last) return
    this.#add(first + 1, 1)
    this.#add(last + 1, -1)
  }

  #add(position: number, change: number): void {
    this.#opened[position] = (this.#opened[position] ?? 0) + change
  }

  /** 1 at every position after the first of a pair, up to and including its last. */
  spanned(): Uint8Array {
    const spanned = new Uint8Array(this.#opened.length - 2)
    let open = 0
    for (let position = 0; position < spanned.length; position++) {
      open += this.#opened[position] ?? 0
      if (open > 0) spanned[position] = 1
    }
    return spanned
  }
}

/**
 * A call and all of its results. Results of calls that the provider stores stay with the messages that refer to those
 * calls.
 */
function tieResults({ messages, pairing, continues }: RuleContext, held: boolean, ties: Ties): void {
  for (const { step, results } of pairing.calls) {
    for (const { position } of results) ties.tie(Math.min(step.position, position), Math.max(step.position, position))
  }
  tieRivals(pairing, ties)
  const strangers = continues ? pairing.results.filter(result => !result.call) : []
  const first = strangers.at(0)
  const last = strangers.at(-1)
  if (!first || !last) return
  const reference = messages.findIndex(message => message.role === 'other')
  if (reference >= 0) ties.tie(reference, last.position)
  if (held) ties.tie(first.position, messages.length)
}

/**
 * A second result stays with the open calls before it that have its id: if all but one of them were cut, the result
 * would be assigned to the remaining one.
 */
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

/** A provider-run call and its result, in any messages of their turn. */
function tieProviderCalls(messages: readonly Message[], ties: Ties): void {
  const open = new Map<string, number>()
  let position = -1
  for (const message of messages) {
    position++
    if (open.size > 0 && isAsking(message)) open.clear()
    for (const part of message.parts) {
      if ((part.kind !== 'call' && part.kind !== 'result') || part.by !== 'provider') continue
      if (part.kind === 'result') ties.tie(open.get(part.id) ?? position, position)
      else if (!open.has(part.id)) open.set(part.id, position)
    }
  }
}

/** A call with its approval requests and their answers, all in the same turn. */
function tieApprovals(messages: readonly Message[], ties: Ties): void {
  const first = new Map<string, number>()
  let position = -1
  for (const message of messages) {
    position++
    if (first.size > 0 && isAsking(message)) first.clear()
    for (const part of message.parts) {
      for (const id of approvalsOf(part)) {
        if (first.has(id)) ties.tie(first.get(id) as number, position)
        else first.set(id, position)
      }
    }
  }
}

function approvalsOf(part: Part): readonly string[] {
  if (part.kind === 'call') return part.requests ?? none
  return part.kind === 'other' && part.approval ? [part.approval.id] : none
}

const none: readonly string[] = []

/**
 * Whether the provider accepts the messages from a position on, directly after the lead. No provider accepts a result
 * there.
 */
function startChecker(
  { messages, facts }: RuleContext,
  lead: number,
  speakers: Speakers,
): (position: number) => boolean {
  const lastUser = messages.findLastIndex(message => message.role === 'user')
  const lastSent = messages.findLastIndex(isSent)
  // An SDK joins them with a tool message before them: directly after the lead they have no content.
  const silent = new Set(
    facts.roleOnlyUser
      ? messages.filter((message, index) => isRoleOnly(message) && !joinsUser(messages[index + 1]))
      : [],
  )
  return position => {
    if (position > lastSent) return false
    if (facts.noUser === 'refuse' && position > lastUser) return false
    if (facts.systems === 'one' && messages[position]?.role === 'system') return false
    const speaker = speakers[position]
    if (speaker?.role !== 'assistant') return speaker?.role === 'user' && !silent.has(speaker)
    if (facts.firstAssistant === 'refuse') return false
    const isFirst = lead === 0 && speaker === messages[position]
    const mayCall = facts.firstAssistant === 'accept' || (facts.firstAssistant === 'refuse-calls' && !isFirst)
    return mayCall || !hasClientCall(speaker)
  }
}
