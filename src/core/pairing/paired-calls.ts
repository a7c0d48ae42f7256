import type { CallPart, Message, ResultPart } from '../conversation.ts'

/** Which result answers which call. */
export interface Pairing {
  readonly steps: readonly CallStep[]
  readonly calls: readonly PairedCall[]
  readonly results: readonly PairedResult[]
  /** Provider-run calls without a result and results without a call, except in a paused turn. */
  readonly unpaired: readonly UnpairedProviderCall[]
}

/** An assistant message with calls that the client runs. */
export interface CallStep {
  readonly message: Message
  readonly position: number
  readonly calls: PairedCall[]
}

export interface PairedCall {
  readonly step: CallStep
  readonly part: CallPart
  /** Its index among the parts of its message. */
  readonly slot: number
  /** Its index among the calls of its step. */
  readonly index: number
  /** All of its results, and the one that counts. */
  results: PairedResult[]
  answer?: PairedResult
}

export interface PairedResult {
  readonly message: Message
  readonly part: ResultPart
  readonly slot: number
  readonly position: number
  call?: PairedCall
}

export interface UnpairedProviderCall {
  readonly message: Message
  readonly part: CallPart | ResultPart
}

/** Calls in order. None before `next` is open. */
export interface CallQueue {
  readonly all: PairedCall[]
  next: number
}

/** All calls with one id, at least one. Those from `from` on belong to the latest step that has it. */
export interface CallsById extends CallQueue {
  readonly all: [PairedCall, ...PairedCall[]]
  from: number
  /** The index of the first call that an early result may still answer. */
  early: number
  /** The calls from `from` on by name, filled when a result first needs it. */
  names: Map<string, CallQueue> | undefined
}

export const isOpen = ({ results }: PairedCall): boolean => results.length === 0

export function firstOpen(queue: CallQueue | undefined): PairedCall | undefined {
  if (!queue) return undefined
  queue.next = nextOpen(queue.all, queue.next)
  return queue.all[queue.next]
}

/** The index of the first open call from an index on; the length of the list if there is none. */
export function nextOpen(calls: readonly PairedCall[], from: number): number {
  let index = from
  for (let call = calls[index]; call && !isOpen(call); call = calls[index]) index++
  return index
}

/** Queues of calls, one per key. */
export function queueBy<K>(calls: readonly PairedCall[], keyOf: (call: PairedCall) => K): Map<K, CallQueue> {
  const queues = new Map<K, CallQueue>()
  for (const call of calls) enqueue(queues, keyOf(call), call)
  return queues
}

export function enqueue<K>(queues: Map<K, CallQueue>, key: K, call: PairedCall): void {
  const queue = queues.get(key)
  if (queue) queue.all.push(call)
  else queues.set(key, { all: [call], next: 0 })
}

export function assignResult(result: PairedResult, call: PairedCall): void {
  result.call = call
  call.results.push(result)
}

/** Removes results that were reassigned to another call. */
export function removeReassigned(call: PairedCall): void {
  call.results = call.results.filter(result => result.call === call)
}

/** Whether a result has no tool name or that of the call. */
export const mayBeOfTool = ({ part }: PairedResult, call: PairedCall): boolean =>
  !part.name || part.name === call.part.name
