import type { CallPart, Message, ResultPart } from '../conversation.ts'

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
  results: Result[]
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

/** Calls in their order. None before `next` is open. */
export interface Queue {
  readonly all: Call[]
  next: number
}

/** All calls that have one id. From `from` on they are those of the latest step that has it. */
export interface Bucket extends Queue {
  from: number
  /** The first call of the first step that an early result may still answer. */
  early: number
  /** The calls from `from` on by their names, once a result has asked for one by its name. */
  names: Map<string, Queue> | undefined
}

export const isOpen = ({ results }: Call): boolean => results.length === 0

export function firstOpen(queue: Queue | undefined): Call | undefined {
  if (!queue) return undefined
  while (queue.next < queue.all.length && !isOpen(queue.all[queue.next])) queue.next++
  return queue.all[queue.next]
}

/** Calls in queues, each under one key. */
export function queuesOf<K>(calls: readonly Call[], keyOf: (call: Call) => K): Map<K, Queue> {
  const queues = new Map<K, Queue>()
  for (const call of calls) enqueue(queues, keyOf(call), call)
  return queues
}

export function enqueue<K>(queues: Map<K, Queue>, key: K, call: Call): void {
  const queue = queues.get(key)
  if (queue) queue.all.push(call)
  else queues.set(key, { all: [call], next: 0 })
}

export function attach(result: Result, call: Call): void {
  result.call = call
  call.results.push(result)
}

/** Results that have gone to another call are no longer this one's. */
export function keepOwn(call: Call): void {
  call.results = call.results.filter(result => result.call === call)
}

/** Whether a result does not name another tool. */
export const isOfTool = ({ part }: Result, call: Call): boolean => !part.name || part.name === call.part.name
