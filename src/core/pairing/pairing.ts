import type { CallPart, Format, Message, ResultPart } from '../conversation.ts'
import { present } from '../invariant.ts'
import { equal } from '../json/equal.ts'
import { isPlaceholder } from '../placeholder.ts'
import { pairByPosition, type UnpairedResult } from './by-position.ts'
import { pairEarlyResults, reassignSpareResults } from './out-of-place.ts'
import {
  assignResult,
  type CallStep,
  type CallsById,
  enqueue,
  firstOpen,
  type PairedCall,
  type PairedResult,
  type Pairing,
  queueBy,
  type UnpairedProviderCall,
} from './paired-calls.ts'

/**
 * Decides which result answers which call; nothing else does. With `cutAfter` more turns follow that are not given, so
 * a provider-run call that is still open at the end is unpaired, and not part of a paused turn. With `idless` a result whose id does not identify
 * a call is paired as if it had no id; with `fused` a result answers the call that was decoded from the same part; with `exactIds` only a
 * result without an id is paired by its position.
 *
 * | a result | answers |
 * |---|---|
 * | from the same part as a call | that call, or an open identical call before it in the step |
 * | with the id of a call before it | a call of the latest step that has the id, preferably an open one of its name |
 * | with an id that only calls after it have | that call; of several, one of the step directly after it, or else the only open one |
 * | with an id that no call has, but that is the item id of exactly one call before it | that call, if it is open |
 * | without a usable id, or the second of its call, or after a step that does not have the id | perhaps an open call of the step, by position |
 * | that its call does not need | perhaps an open call with the same id elsewhere |
 */
export function pairCalls(messages: readonly Message[], cutAfter = false, format: PairingFormat = {}): Pairing {
  const builder = new PairingBuilder(format)
  let position = -1
  for (const message of messages) builder.add(message, ++position)
  return builder.finish(messages, cutAfter)
}

type PairingFormat = Pick<Format, 'idless' | 'fused' | 'exactIds'>

/** `#lastOther` is the position of the last message that is neither the assistant's nor a result. */
class PairingBuilder {
  readonly #format: PairingFormat
  readonly #steps: CallStep[] = []
  readonly #calls: PairedCall[] = []
  readonly #results: PairedResult[] = []
  readonly #byId = new Map<string, CallsById>()
  readonly #byPart = new Map<unknown, PairedCall>()
  readonly #early: PairedResult[] = []
  readonly #unpairedResults: UnpairedResult[] = []
  readonly #providers = new ProviderCalls()
  #lastOther = -1

  constructor(format: PairingFormat) {
    this.#format = format
  }

  add(message: Message, position: number): void {
    if (message.role === 'user' || message.role === 'system') this.#providers.close()
    if (message.role !== 'tool' && message.role !== 'assistant') this.#lastOther = position
    let slot = -1
    for (const part of message.parts) {
      slot++
      if (part.kind === 'call') this.#call({ message, part, slot, position })
      else if (part.kind === 'result') this.#result({ message, part, slot, position })
    }
  }

  #call({ message, part, slot, position }: PartPlace<CallPart>): void {
    if (part.by === 'provider') this.#providers.call(message, part)
    else if (message.role === 'assistant') {
      let step = this.#steps.at(-1)
      if (step?.position !== position) {
        step = { message, position, calls: [] }
        this.#steps.push(step)
      }
      const call: PairedCall = { step, part, slot, index: step.calls.length, results: [] }
      step.calls.push(call)
      this.#calls.push(call)
      if (part.id !== '') addCall(this.#byId, call)
      if (this.#format.fused && part.raw !== undefined) this.#byPart.set(part.raw, call)
    }
  }

  #result(result: PartPlace<ResultPart> & PairedResult): void {
    const { message, part } = result
    if (part.by === 'provider') {
      this.#providers.result(message, part)
      return
    }
    this.#results.push(result)
    const sameId = part.id === '' ? undefined : this.#byId.get(part.id)
    const fusedCall = this.#format.fused && part.raw !== undefined ? this.#byPart.get(part.raw) : undefined
    if (fusedCall) {
      assignResult(result, openCopy(sameId, fusedCall) ?? fusedCall)
      return
    }
    if (sameId) assignResult(result, callFor(sameId, part.name))
    else if (part.id !== '') this.#early.push(result)
    if (this.#format.exactIds && part.id !== '') return
    const latest = this.#steps.at(-1)
    const followsStep = latest !== undefined && latest.position > this.#lastOther
    const isSecond = result.call !== undefined && result.call.results.length > 1
    if (latest && (!sameId || (followsStep && (isSecond || result.call?.step !== latest))))
      this.#unpairedResults.push({ result, step: latest, followsStep })
  }

  finish(messages: readonly Message[], cutAfter: boolean): Pairing {
    if (cutAfter) this.#providers.close()
    pairEarlyResults(this.#early, this.#byId, messages)
    pairByItem(this.#early, this.#calls)
    pairByPosition(this.#unpairedResults, this.#format.idless === true)
    reassignSpareResults(this.#byId, messages)
    chooseAnswers(this.#calls, messages)
    return { steps: this.#steps, calls: this.#calls, results: this.#results, unpaired: this.#providers.unpaired }
  }
}

interface PartPlace<P> {
  readonly message: Message
  readonly part: P
  readonly slot: number
  readonly position: number
}

function addCall(byId: Map<string, CallsById>, call: PairedCall): void {
  const sameId = byId.get(call.part.id)
  if (!sameId) {
    byId.set(call.part.id, { all: [call], next: 0, from: 0, early: 0, names: undefined })
    return
  }
  if (sameId.all[sameId.from]?.step !== call.step) {
    sameId.from = sameId.all.length
    sameId.next = sameId.from
    sameId.names = undefined
  }
  sameId.all.push(call)
  if (sameId.names) enqueue(sameId.names, call.part.name, call)
}

/**
 * The first open call of the latest step with this id, preferably of the same name; if none is open, the first call of
 * that step.
 */
function callFor(sameId: CallsById, name: string | undefined): PairedCall {
  const { all, from } = sameId
  const first = present(all[from], 'the latest step with an id has a call with it')
  if (from === all.length - 1) return first
  if (name) sameId.names ??= queueBy(all.slice(from), ({ part }) => part.name)
  return (name && firstOpen(sameId.names?.get(name))) || (firstOpen(sameId) ?? first)
}

/** An open identical call before this one: the call was stored twice, and its later copy was answered. */
function openCopy(sameId: CallsById | undefined, fusedCall: PairedCall): PairedCall | undefined {
  if (!sameId || fusedCall.part.id === '') return undefined
  const open = firstOpen(sameId)
  if (open === undefined || open === fusedCall || open.step !== fusedCall.step || open.index > fusedCall.index)
    return undefined
  return open.part.name === fusedCall.part.name && equal(open.part.input, fusedCall.part.input) ? open : undefined
}

/**
 * Pairs a result that has the item id of its call instead of the call id, if exactly one call before it has that item
 * id and the call is open.
 */
function pairByItem(results: readonly PairedResult[], calls: readonly PairedCall[]): void {
  if (results.every(result => result.call)) return
  const items = new Map<string, { readonly first: PairedCall; second?: PairedCall }>()
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
    if (!item.second || item.second.step.position > result.position) assignResult(result, item.first)
  }
}

/**
 * Chooses the result that counts: the first, except that a real one beats a placeholder, a later one beats an interim
 * one, and a success beats an error if the assistant did not continue in between.
 */
function chooseAnswers(calls: readonly PairedCall[], messages: readonly Message[]): void {
  let assistantCounts: Int32Array | undefined
  const noAssistantBetween = (a: PairedResult, b: PairedResult): boolean => {
    if (!assistantCounts) {
      assistantCounts = new Int32Array(messages.length + 1)
      let count = 0
      for (const [position, { role }] of messages.entries()) {
        if (role === 'assistant') count++
        assistantCounts[position + 1] = count
      }
    }
    return assistantCounts[Math.max(a.position, b.position)] === assistantCounts[Math.min(a.position, b.position)]
  }
  const beats = (other: PairedResult, answer: PairedResult): boolean => {
    if (isPlaceholder(other.part)) return false
    if (isPlaceholder(answer.part) || answer.part.interim) return true
    return answer.part.error === true && !other.part.error && noAssistantBetween(answer, other)
  }
  for (const call of calls) {
    let answer: PairedResult | undefined
    for (const result of call.results) if (!answer || beats(result, answer)) answer = result
    if (answer) call.answer = answer
  }
}

/**
 * Provider-run calls and their results pair by kind and id, within one turn. Calls that are still open at the end of the last
 * turn belong to a turn that the provider paused.
 */
class ProviderCalls {
  readonly unpaired: UnpairedProviderCall[] = []
  readonly #open = new Map<string, UnpairedProviderCall[]>()

  call(message: Message, part: CallPart): void {
    const key = keyOf(part)
    const waiting = this.#open.get(key)
    if (waiting) waiting.push({ message, part })
    else this.#open.set(key, [{ message, part }])
  }

  result(message: Message, part: ResultPart): void {
    const key = keyOf(part)
    const waiting = this.#open.get(key)
    if (!waiting) this.unpaired.push({ message, part })
    else if (waiting.length > 1) waiting.pop()
    else this.#open.delete(key)
  }

  close(): void {
    if (this.#open.size === 0) return
    for (const waiting of this.#open.values()) for (const unpaired of waiting) this.unpaired.push(unpaired)
    this.#open.clear()
  }
}

const keyOf = ({ callKind, id }: CallPart | ResultPart): string => `${callKind} ${id}`
