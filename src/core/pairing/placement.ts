import type { Message } from '../conversation.ts'
import type { Place } from '../edit.ts'
import { isPlaceholder } from '../placeholder.ts'
import type { Scene } from '../rules/rule.ts'
import type { Call, Result, Step } from './pairs.ts'

/** Where results stand and where they belong: directly behind their calls. */
export interface Seating {
  readonly unseated: readonly Unseated[]
  /** Assistant text between a step's calls and a real result of it, with no user message before it. */
  readonly split: readonly { readonly step: Step; readonly texts: readonly Message[] }[]
}

export interface Unseated {
  readonly call: Call
  readonly result: Result
  /** In front of its call, behind messages that can stand behind it as well, or behind an assistant that went on without it. */
  readonly cause: 'early' | 'interleaved' | 'misplaced'
  /** The first message that stands where the result belongs. */
  readonly intruder: Message | undefined
}

/**
 * Everything that stands wrong, in call order within a step. A result is seated if nothing but results stands between it
 * and its call. `kept` counts, up to a position, the assistant messages that stay where they are, `others` all messages
 * that are neither results nor split-off text.
 */
export function seating(scene: Scene): Seating {
  const known = seatings.get(scene)
  if (known) return known
  const found = findSeating(scene)
  seatings.set(scene, found)
  return found
}

/** Several rules ask for the same. */
const seatings = new WeakMap<Scene, Seating>()

function findSeating(scene: Scene): Seating {
  const { messages, pairing } = scene
  const end = stretchEnds(messages)
  const late: { call: Call; result: Result }[] = []
  const early: Unseated[] = []
  const split: { step: Step; texts: Message[] }[] = []
  const folded = new Set<Message>()
  const mayBeLate = scene.wire.reasoning === 'items' && scene.facts.lateResults === 'accept'

  for (const step of pairing.steps) {
    let lastReal = -1
    for (const call of step.calls) {
      const result = call.answer
      if (!result) continue
      if (result.position < step.position) early.push({ call, result, cause: 'early', intruder: undefined })
      else if (!mayBeLate && result.position > end[step.position]) {
        late.push({ call, result })
        if (result.position > lastReal && !isPlaceholder(result.part)) lastReal = result.position
      }
    }
    const texts = lastReal < 0 || scene.wire.keepsText ? [] : splitTexts(messages, step.position, lastReal)
    if (texts.length === 0) continue
    split.push({ step, texts })
    for (const text of texts) folded.add(text)
  }

  if (late.length === 0) return { unseated: early, split }
  const kept = new Int32Array(messages.length + 1)
  const others = new Int32Array(messages.length + 1)
  const nextOther = new Int32Array(messages.length + 1)
  for (let position = 0; position < messages.length; position++) {
    const message = messages[position]
    const stays = message.role !== 'tool' && !folded.has(message)
    kept[position + 1] = kept[position] + (stays && message.role === 'assistant' ? 1 : 0)
    others[position + 1] = others[position] + (stays ? 1 : 0)
  }
  for (let position = messages.length - 1; position >= 0; position--) {
    nextOther[position] = others[position + 1] > others[position] ? position : nextOther[position + 1]
  }
  const unseated: Unseated[] = early
  for (const { call, result } of late) {
    const from = call.step.position + 1
    if (others[result.position] === others[from]) continue
    const cause = kept[result.position] > kept[from] ? 'misplaced' : 'interleaved'
    unseated.push({ call, result, cause, intruder: messages[nextOther[from]] })
  }
  return { unseated, split }
}

/** For each position, the last position of the stretch of results that follows it. */
function stretchEnds(messages: readonly Message[]): Int32Array {
  const end = new Int32Array(messages.length + 1)
  for (let position = messages.length - 1; position >= 0; position--) {
    end[position] = messages[position + 1]?.role === 'tool' ? end[position + 1] : position
  }
  return end
}

function splitTexts(messages: readonly Message[], from: number, to: number): Message[] {
  const texts: Message[] = []
  for (let position = from + 1; position < to; position++) {
    const message = messages[position]
    if (message.role === 'tool') continue
    if (message.role !== 'assistant' || message.parts.length === 0 || message.parts.some(part => part.kind !== 'text'))
      break
    texts.push(message)
  }
  return texts
}

/**
 * The places behind a step's calls. Results that come in sit in call order; those that were seated already keep theirs.
 * `#last` has, for each seated message that others were put behind, the last of those.
 */
export class Seats {
  readonly #anchors: number[] = []
  readonly #last = new Map<number, number>()

  constructor(step: Step, messages: readonly Message[]) {
    const seated: (Result | undefined)[] = []
    let end = step.position
    while (messages[end + 1]?.role === 'tool') end++
    for (const call of step.calls) {
      const result = call.answer
      seated.push(result && result.position > step.position && result.position <= end ? result : undefined)
    }
    let anchor = step.message.key
    let position = step.position
    for (let index = 0; index < step.calls.length; index++) {
      this.#anchors.push(anchor)
      const result = seated[index]
      if (!result || result.position < position) continue
      anchor = result.message.key
      position = result.position
    }
  }

  place(call: Call): Place {
    const anchor = this.#anchors[call.index]
    return this.#last.get(anchor) ?? anchor
  }

  taken(call: Call, key: number): void {
    this.#last.set(this.#anchors[call.index], key)
  }
}

/** Seats for the steps that need them, made once for all findings of a rule. */
export function seatsOf(messages: readonly Message[]): (step: Step) => Seats {
  const made = new Map<Step, Seats>()
  return step => {
    let seats = made.get(step)
    if (!seats) {
      seats = new Seats(step, messages)
      made.set(step, seats)
    }
    return seats
  }
}
