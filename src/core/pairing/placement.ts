import type { Message } from '../conversation.ts'
import type { Draft, MessagePlace } from '../edit.ts'
import { present } from '../invariant.ts'
import { isPlaceholder } from '../placeholder.ts'
import type { RuleContext } from '../rules/rule.ts'
import type { CallStep, PairedCall, PairedResult } from './paired-calls.ts'

/** Results that are not directly after their calls, where they belong. */
export interface Placement {
  readonly outOfPlace: readonly OutOfPlaceResult[]
  /** Assistant text between the calls of a step and a real result of it, with no user message before it. */
  readonly split: readonly { readonly step: CallStep; readonly texts: readonly Message[] }[]
}

export interface OutOfPlaceResult {
  readonly call: PairedCall
  readonly result: PairedResult
  /** Before its call; after messages that can be moved after it; or after the assistant continued without it. */
  readonly cause: 'early' | 'interleaved' | 'misplaced'
  /** The first message at the place where the result belongs. */
  readonly intruder: Message | undefined
}

/**
 * All results that are out of place, in call order within a step. A result is in place if only results are between it
 * and its call.
 */
export function findPlacement(context: RuleContext): Placement {
  const known = placements.get(context)
  if (known) return known
  const found = computePlacement(context)
  placements.set(context, found)
  return found
}

/** Cached: several rules need it. */
const placements = new WeakMap<RuleContext, Placement>()

function computePlacement(context: RuleContext): Placement {
  const { messages, pairing } = context
  const late: LateResult[] = []
  const outOfPlace: OutOfPlaceResult[] = []
  const split: { step: CallStep; texts: Message[] }[] = []
  const lateResults = context.format.reasoning === 'items' ? context.facts.lateResults : 'refuse'
  const isAllowed =
    lateResults === 'accept-in-turn' ? withoutUserBetween(messages) : (): boolean => lateResults === 'accept'

  for (const step of pairing.steps) {
    let lastReal = -1
    const end = resultRunEnd(messages, step.position)
    for (const call of step.calls) {
      const result = call.answer
      if (!result) continue
      if (result.position < step.position) outOfPlace.push({ call, result, cause: 'early', intruder: undefined })
      else if (result.position > end && !isAllowed(step.position, result.position)) {
        late.push({ call, result })
        if (result.position > lastReal && !isPlaceholder(result.part)) lastReal = result.position
      }
    }
    const texts = lastReal < 0 || context.format.keepsText ? [] : splitTexts(messages, step.position, lastReal)
    if (texts.length > 0) split.push({ step, texts })
  }
  if (late.length === 0) return { outOfPlace, split }
  const splitOff = new Set(split.flatMap(({ texts }) => texts))
  return { outOfPlace: outOfPlace.concat(explainLate(late, messages, splitOff)), split }
}

interface LateResult {
  readonly call: PairedCall
  readonly result: PairedResult
}

/**
 * What is between late results and their calls. `others` are the messages that are neither results nor split-off text;
 * the prefix sums say how many of them are before a position: all, and those of the assistant.
 */
function explainLate(
  late: readonly LateResult[],
  messages: readonly Message[],
  splitOff: ReadonlySet<Message>,
): OutOfPlaceResult[] {
  const others: Message[] = []
  const othersBefore = new Int32Array(messages.length + 1)
  const assistantsBefore = new Int32Array(messages.length + 1)
  let assistants = 0
  for (const [position, message] of messages.entries()) {
    if (message.role !== 'tool' && !splitOff.has(message)) {
      others.push(message)
      if (message.role === 'assistant') assistants++
    }
    othersBefore[position + 1] = others.length
    assistantsBefore[position + 1] = assistants
  }
  return late.flatMap(({ call, result }) => {
    const from = call.step.position + 1
    const before = othersBefore[from]
    if (before === undefined || othersBefore[result.position] === before) return []
    const cause = assistantsBefore[result.position] === assistantsBefore[from] ? 'interleaved' : 'misplaced'
    return { call, result, cause, intruder: others[before] }
  })
}

/** Whether no user message is between two positions. */
function withoutUserBetween(messages: readonly Message[]): (from: number, to: number) => boolean {
  const usersBefore = new Int32Array(messages.length + 1)
  for (const [position, { role }] of messages.entries())
    usersBefore[position + 1] = (usersBefore[position] ?? 0) + (role === 'user' ? 1 : 0)
  return (from, to) => usersBefore[from] === usersBefore[to]
}

/** The last position of the run of results that follows a position; the position itself if none follows. */
function resultRunEnd(messages: readonly Message[], position: number): number {
  let end = position
  while (messages[end + 1]?.role === 'tool') end++
  return end
}

function splitTexts(messages: readonly Message[], from: number, to: number): Message[] {
  const texts: Message[] = []
  for (let position = from + 1; position < to; position++) {
    const message = messages[position]
    if (message?.role === 'tool') continue
    if (message?.role !== 'assistant' || message.parts.length === 0 || message.parts.some(part => part.kind !== 'text'))
      break
    texts.push(message)
  }
  return texts
}

/**
 * The insertion places after the calls of a step. Moved results are placed in call order; those in place already stay.
 * `#last` maps a message that results were inserted after to the last of those.
 */
export class ResultSlots {
  readonly #anchors: number[] = []
  readonly #last = new Map<number, number>()

  constructor(step: CallStep, messages: readonly Message[]) {
    const end = resultRunEnd(messages, step.position)
    let anchor = step.message.key
    let position = step.position
    for (const { answer } of step.calls) {
      this.#anchors.push(anchor)
      if (!answer || answer.position <= step.position || answer.position < position || answer.position > end) continue
      anchor = answer.message.key
      position = answer.position
    }
  }

  place(call: PairedCall): MessagePlace {
    const anchor = this.#anchorOf(call)
    return this.#last.get(anchor) ?? anchor
  }

  occupy(call: PairedCall, key: number): void {
    this.#last.set(this.#anchorOf(call), key)
  }

  #anchorOf({ index }: PairedCall): number {
    return present(this.#anchors[index], 'result slots are asked for calls of their own step')
  }
}

/** Slots of the steps that need them, created once for all defects of a rule. */
export function resultSlots(messages: readonly Message[]): (step: CallStep) => ResultSlots {
  const made = new Map<CallStep, ResultSlots>()
  return step => {
    let slots = made.get(step)
    if (!slots) {
      slots = new ResultSlots(step, messages)
      made.set(step, slots)
    }
    return slots
  }
}

/** Moves a result to its place after its call. */
export const moveToCall =
  (slots: (step: CallStep) => ResultSlots, call: PairedCall, { message: { key } }: PairedResult) =>
  (draft: Draft): void => {
    draft.move(key, slots(call.step).place(call))
    slots(call.step).occupy(call, key)
  }
