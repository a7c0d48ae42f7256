import type { CallPart, Message, ResultPart, Wire } from '../conversation.ts'
import { equal } from '../json/equal.ts'
import { isPlaceholder } from '../placeholder.ts'
import { type Loose, pairLoose } from './by-position.ts'
import { handOn, pairEarly } from './out-of-place.ts'
import {
  attach,
  type Bucket,
  type Call,
  enqueue,
  firstOpen,
  type Half,
  type Pairing,
  queuesOf,
  type Result,
  type Step,
} from './pairs.ts'

/**
 * Which result answers which call: the one place that decides. One pass over the messages, in which a result never reaches
 * back beyond the latest step that has its id; then the results that need to know what comes later, or that have no usable
 * id. With `cutAfter` more turns follow that are not shown, so no turn of the provider is paused here. With `idless` an id
 * that no call has stands for none; with `fused` a result answers the call that it was read from one part with.
 */
export function pair(
  messages: readonly Message[],
  cutAfter = false,
  { idless, fused }: Pick<Wire, 'idless' | 'fused'> = {},
): Pairing {
  const steps: Step[] = []
  const calls: Call[] = []
  const results: Result[] = []
  const byId = new Map<string, Bucket>()
  const byPart = new Map<unknown, Call>()
  const early: Result[] = []
  const loose: Loose[] = []
  const providers = new ProviderCalls()
  let lastOther = -1

  for (let position = 0; position < messages.length; position++) {
    const message = messages[position]
    if (message.role === 'user' || message.role === 'system') providers.close()
    if (message.role !== 'tool' && message.role !== 'assistant') lastOther = position
    let step: Step | undefined
    for (let slot = 0; slot < message.parts.length; slot++) {
      const part = message.parts[slot]
      if (part.kind === 'call') {
        if (part.by === 'provider') providers.call(message, part)
        else if (message.role === 'assistant') {
          if (!step) {
            step = { message, position, calls: [] }
            steps.push(step)
          }
          const call: Call = { step, part, slot, index: step.calls.length, results: [] }
          step.calls.push(call)
          calls.push(call)
          if (part.id !== '') addCall(byId, call)
          if (fused && part.raw !== undefined) byPart.set(part.raw, call)
        }
      } else if (part.kind === 'result') {
        if (part.by === 'provider') {
          providers.result(message, part)
          continue
        }
        const result: Result = { message, part, slot, position }
        results.push(result)
        const bucket = part.id === '' ? undefined : byId.get(part.id)
        const latest = steps.at(-1)
        const own = fused && part.raw !== undefined ? byPart.get(part.raw) : undefined
        if (own) {
          attach(result, openTwin(bucket, own) ?? own)
          continue
        }
        if (bucket) attach(result, takeCall(bucket, part.name))
        else if (part.id !== '') early.push(result)
        const isSeated = latest !== undefined && latest.position > lastOther
        const isSecond = result.call !== undefined && result.call.results.length > 1
        if (latest && (!bucket || (isSeated && (isSecond || result.call?.step !== latest))))
          loose.push({ result, step: latest, isSeated })
      }
    }
  }

  if (cutAfter) providers.close()
  pairEarly(early, byId, messages)
  pairByItem(early, calls)
  pairLoose(loose, idless === true)
  handOn(byId, messages)
  chooseAnswers(calls, messages)
  return { steps, calls, results, halves: providers.halves }
}

function addCall(byId: Map<string, Bucket>, call: Call): void {
  const bucket = byId.get(call.part.id)
  if (!bucket) {
    byId.set(call.part.id, { all: [call], next: 0, from: 0, early: 0, names: undefined })
    return
  }
  if (bucket.all[bucket.from].step !== call.step) {
    bucket.from = bucket.all.length
    bucket.next = bucket.from
    bucket.names = undefined
  }
  bucket.all.push(call)
  if (bucket.names) enqueue(bucket.names, call.part.name, call)
}

/** The first open call of the latest step with this id, one of the same name before others; if all are settled, its first. */
function takeCall(bucket: Bucket, name: string | undefined): Call {
  const { all, from } = bucket
  if (from === all.length - 1) return all[from]
  if (name) bucket.names ??= queuesOf(all.slice(from), ({ part }) => part.name)
  return (name && firstOpen(bucket.names?.get(name))) || (firstOpen(bucket) ?? all[from])
}

/** An open call in front of a call that is the very same one: it was stored twice, and answered in its later copy. */
function openTwin(bucket: Bucket | undefined, own: Call): Call | undefined {
  if (!bucket || own.part.id === '') return undefined
  const open = firstOpen(bucket)
  if (open === undefined || open === own || open.step !== own.step || open.index > own.index) return undefined
  return open.part.name === own.part.name && equal(open.part.input, own.part.input) ? open : undefined
}

/** A result that names its call by the id of the item, if one open call in front of it has that item, and no other. */
function pairByItem(results: readonly Result[], calls: readonly Call[]): void {
  if (results.every(result => result.call)) return
  const items = new Map<string, { readonly first: Call; second?: Call }>()
  for (const call of calls) {
    const { itemId } = call.part
    if (!itemId) continue
    const known = items.get(itemId)
    if (!known) items.set(itemId, { first: call })
    else known.second ??= call
  }
  for (const result of results) {
    const item = result.call ? undefined : items.get(result.part.id)
    if (!item || item.first.results.length > 0 || item.first.step.position > result.position) continue
    if (!item.second || item.second.step.position > result.position) attach(result, item.first)
  }
}

/** The real result beats a placeholder, the next one an interim one, an observation beats an error if the assistant said nothing in between, else the first one. */
function chooseAnswers(calls: readonly Call[], messages: readonly Message[]): void {
  let spoken: Int32Array | undefined
  const silentBetween = (a: Result, b: Result): boolean => {
    if (!spoken) {
      spoken = new Int32Array(messages.length + 1)
      for (let position = 0; position < messages.length; position++) {
        spoken[position + 1] = spoken[position] + (messages[position].role === 'assistant' ? 1 : 0)
      }
    }
    return spoken[Math.max(a.position, b.position)] === spoken[Math.min(a.position, b.position)]
  }
  for (const call of calls) {
    let answer = call.results[0]
    for (let index = 1; index < call.results.length; index++) {
      const rival = call.results[index]
      if (isPlaceholder(rival.part)) continue
      if (
        isPlaceholder(answer.part) ||
        answer.part.interim ||
        (answer.part.error && !rival.part.error && silentBetween(answer, rival))
      )
        answer = rival
    }
    if (answer) call.answer = answer
  }
}

/**
 * Calls that the provider runs pair inside their own turn, with results of their own sort; those still open at its end are
 * a paused turn if it is the last.
 */
class ProviderCalls {
  readonly halves: Half[] = []
  readonly #open = new Map<string, Half[]>()

  call(message: Message, part: CallPart): void {
    const key = keyOf(part)
    const waiting = this.#open.get(key)
    if (waiting) waiting.push({ message, part })
    else this.#open.set(key, [{ message, part }])
  }

  result(message: Message, part: ResultPart): void {
    const key = keyOf(part)
    const waiting = this.#open.get(key)
    if (!waiting) this.halves.push({ message, part })
    else if (waiting.length > 1) waiting.pop()
    else this.#open.delete(key)
  }

  close(): void {
    if (this.#open.size === 0) return
    for (const waiting of this.#open.values()) for (const half of waiting) this.halves.push(half)
    this.#open.clear()
  }
}

const keyOf = ({ sort, id }: CallPart | ResultPart): string => `${sort} ${id}`
