import {
  type CallPart,
  type Conversation,
  isRecord,
  type Message,
  madeUpCall,
  type Part,
  type ResultPart,
  type Role,
  resultOf,
} from '../../core/conversation.ts'
import { equal } from '../../core/json/equal.ts'
import { isSteering } from './decode.ts'
import { aiSdkUiFormat } from './format.ts'

/** What is written as one message of the format. */
export interface Unit {
  readonly role: Role
  /** The index of the message that it comes from. */
  readonly source: number | undefined
  /** It is the first unit from that message, and so it keeps the id and the other fields of it. */
  readonly keepsFields: boolean
  /** Everything but results, in order; only the assistant has several, with steering messages of the user between them. */
  readonly steps: Message[]
  /** The results of the calls in the steps. */
  readonly results: Map<CallPart, ResultPart>
  /** The steps and the results, in their order. */
  readonly all: Message[]
}

/**
 * Adjacent assistant steps from one message stay together, also those that a rule has divided; so do those that come from
 * none. A result joins the message of its call.
 */
export function gather(messages: readonly Message[], decoded: Conversation, history: readonly unknown[]): Unit[] {
  const units: Unit[] = []
  const openCalls = new OpenUnitCalls()
  const sources = new Sources(messages, decoded, history)
  const used = new Set<number>()
  let before: number | undefined
  for (const [index, message] of messages.entries()) {
    const result = resultOf(message)
    if (result) {
      const open = openCalls.take(result)
      if (open) {
        open.unit.results.set(open.call, result)
        open.unit.all.push(message)
      } else units.push(unitOfLoneResult(message, result))
      continue
    }
    if (message.role === 'tool') continue
    const last = units.at(-1)
    const source = sources.of(message, before) ?? sourceBetween(last, message, messages[index + 1])
    const isInside = message.origin !== undefined && source !== undefined && isSteeringInput(message, history[source])
    const role = isInside ? 'assistant' : message.role
    before = source ?? before
    let unit = last
    if (!unit || role !== 'assistant' || unit.role !== role || unit.source !== source) {
      const keepsFields = source !== undefined && !used.has(source) && sources.fits(message, source)
      if (keepsFields) used.add(source)
      unit = { role, source, keepsFields, steps: [], results: new Map(), all: [] }
      units.push(unit)
    }
    unit.steps.push(message)
    unit.all.push(message)
    openCalls.add(unit, message)
  }
  return units
}

/** A made-up assistant message between two steps of a message is written into that message. */
const sourceBetween = (last: Unit | undefined, { role }: Message, next: Message | undefined): number | undefined =>
  role === 'assistant' && last?.role === role && last.source === next?.origin ? last.source : undefined

/** Whether a message is user input inside an assistant message (a steering message). */
export const isSteeringInput = ({ role }: Message, raw: unknown): boolean =>
  role === 'user' && isRecord(raw) && raw.role === 'assistant'

/** A result whose call is nowhere gets one, so that nothing is lost. */
function unitOfLoneResult(message: Message, result: ResultPart): Unit {
  const call = madeUpCall(aiSdkUiFormat, result, result.id)
  const step: Message = { key: message.key, role: 'assistant', parts: [call] }
  return {
    role: 'assistant',
    source: undefined,
    keepsFields: false,
    steps: [step],
    results: new Map([[call, result]]),
    all: [message],
  }
}

/** Whether a unit is all that was read from one message, and nothing else. */
export function isUntouched({ all, source, keepsFields }: Unit, { messages }: Conversation): boolean {
  const [own] = all
  const [first] = messages
  if (!keepsFields || own?.origin === undefined || !first) return false
  const index = own.key - first.key
  if (messages[index - 1]?.origin === source || messages[index + all.length]?.origin === source) return false
  return all.every((message, offset) => message === messages[index + offset] && message.origin === source)
}

interface UnitCall {
  readonly unit: Unit
  readonly call: CallPart
}

/** The latest step that has calls of an id. Those before `next` have a result. */
interface CallsOfId {
  readonly step: Message
  readonly calls: UnitCall[]
  next: number
  bySlot: Map<number | undefined, UnitCall> | undefined
}

/** Where results belong: with the call of their own part, or with the first of the step that has none yet. */
class OpenUnitCalls {
  readonly #byId = new Map<string, CallsOfId>()

  add(unit: Unit, step: Message): void {
    for (const call of step.parts) {
      if (call.kind !== 'call' || call.by === 'provider') continue
      const known = this.#byId.get(call.id)
      if (known?.step === step) known.calls.push({ unit, call })
      else this.#byId.set(call.id, { step, calls: [{ unit, call }], next: 0, bySlot: undefined })
    }
  }

  take({ id, slot }: ResultPart): UnitCall | undefined {
    const known = this.#byId.get(id)
    if (!known) return undefined
    if (slot !== undefined && known.calls.length > 1) {
      known.bySlot ??= new Map(known.calls.map(one => [one.call.slot, one]))
      const own = known.bySlot.get(slot)
      if (own && isFree(own)) return own
    }
    let first = known.calls[known.next]
    while (first && !isFree(first)) first = known.calls[++known.next]
    return first
  }
}

const isFree = ({ unit, call }: UnitCall): boolean => !unit.results.has(call)

/** The message of the format that a message comes from, also if a rule made it from the parts of another. */
class Sources {
  readonly #messages: readonly Message[]
  readonly #history: readonly unknown[]
  readonly #first: number
  #present: Set<number | undefined> | undefined

  constructor(messages: readonly Message[], decoded: Conversation, history: readonly unknown[]) {
    this.#messages = messages
    this.#history = history
    this.#first = decoded.messages[0]?.origin ?? 0
  }

  /**
   * The index in the history. A message that a rule made has the source of its first part: `before`, the source of the
   * previous message, or the one after it, if no other message comes from there.
   */
  of(message: Message, before: number | undefined): number | undefined {
    if (message.origin !== undefined) return this.#ownOf(message, message.origin)
    const part = message.parts.find(({ slot }) => slot !== undefined)
    if (!part) return undefined
    if (before !== undefined && this.#holds(before, part)) return before
    const next = before === undefined ? this.#first : before + 1
    this.#present ??= new Set(this.#messages.map(({ origin, role }) => (role === 'tool' ? undefined : origin)))
    return !this.#present.has(next) && this.#holds(next, part) ? next : undefined
  }

  /** User input that was merged with other text is written as a user message. */
  #ownOf(message: Message, origin: number): number | undefined {
    if (!isSteeringInput(message, this.#history[origin])) return origin
    if (this.#holdsInside(origin, message.parts)) return origin
    return message.merged?.find(from => !isSteeringInput(message, this.#history[from]))
  }

  /** Whether a message can keep the fields of the one that it comes from. */
  fits({ origin, role }: Message, source: number): boolean {
    const raw = this.#history[source]
    return origin !== undefined || (isRecord(raw) && raw.role === role)
  }

  #holds(source: number, { raw, slot = -1 }: Part): boolean {
    const parts = this.#partsAt(source)
    return slot < parts.length && isSamePart(parts[slot], raw)
  }

  /** Whether parts are some of those of the steering messages inside a message, in their order. */
  #holdsInside(source: number, parts: readonly Part[]): boolean {
    let within: unknown
    let rest: Iterator<unknown> = [].values()
    return parts.every(({ raw, slot = -1 }) => {
      const steering = this.#partsAt(source)[slot]
      if (!isSteering(steering) || !Array.isArray(steering.parts)) return false
      if (steering !== within) rest = steering.parts.values()
      within = steering
      for (let next = rest.next(); !next.done; next = rest.next()) if (isSamePart(next.value, raw)) return true
      return false
    })
  }

  #partsAt(source: number): readonly unknown[] {
    const message = this.#history[source]
    return isRecord(message) && Array.isArray(message.parts) ? message.parts : []
  }
}

/** By an identifying value, since the parts of an edit may be copies. */
function isSamePart(a: unknown, b: unknown): boolean {
  if (!isRecord(a) || !isRecord(b)) return equal(a, b)
  return a.type === b.type && equal(a.toolCallId, b.toolCallId) && equal(a.text, b.text)
}
