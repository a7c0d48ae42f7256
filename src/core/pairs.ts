import type { CallPart, Message, ResultPart } from './conversation.ts'

/** Which result answers which call. */
export interface Pairing {
  readonly steps: readonly Step[]
  readonly calls: readonly Call[]
  readonly results: readonly Result[]
  /** Halves of calls that the provider runs whose other half is missing, and that are no paused turn. */
  readonly halves: readonly Half[]
}

/** An assistant message with calls that the client runs. */
export interface Step {
  readonly message: Message
  readonly position: number
  readonly calls: Call[]
}

export interface Call {
  readonly step: Step
  readonly part: CallPart
  /** Its place among the parts of its message. */
  readonly slot: number
  /** Its place among the calls of its step. */
  readonly index: number
  /** Every result that was meant for it, and the one that counts. */
  readonly results: Result[]
  answer?: Result
}

export interface Result {
  readonly message: Message
  readonly part: ResultPart
  readonly slot: number
  readonly position: number
  call?: Call
}

export interface Half {
  readonly message: Message
  readonly part: CallPart | ResultPart
}

/** All calls that have one id. From `from` on they are those of the latest step that has it. */
export interface Bucket {
  readonly all: Call[]
  from: number
  /** No call before this index of `all` is open. */
  next: number
  /** The first call of the first step that an early result may still answer. */
  early: number
  names: Map<string, { readonly calls: Call[]; next: number }> | undefined
}

export function attach(result: Result, call: Call): void {
  result.call = call
  call.results.push(result)
}

/** Results that have gone to another call are no longer this one's. */
export function keepOwn(call: Call): void {
  const own = call.results.filter(result => result.call === call)
  if (own.length < call.results.length) call.results.splice(0, call.results.length, ...own)
}

export function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
