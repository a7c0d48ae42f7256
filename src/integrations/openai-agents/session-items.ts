import type { AgentInputItem, SessionHistoryMutation } from '@openai/agents'
import { isRecord } from '../../core/conversation.ts'
import { unpackBytes } from '../../journal/bytes.ts'
import type { Entry } from '../../journal/entry.ts'

/** A change of the items of a session. Each is one entry of the journal, so it is atomic. */
export type Operation =
  | { readonly do: 'append'; readonly items: readonly AgentInputItem[] }
  /** Replaces the last `drop` items. */
  | { readonly do: 'cut'; readonly drop: number; readonly items: readonly AgentInputItem[] }
  | { readonly do: 'reset'; readonly items: readonly AgentInputItem[] }
  | { readonly do: 'mutate'; readonly mutations: readonly SessionHistoryMutation[] }

/** The format of the entries of a session. */
export const sessionFormat = 'openai-agents'

/** The operation in an entry of a session, with its digest if it has an idempotency key. Undefined for any other entry. */
export function operationIn(entry: Entry): (Operation & { readonly digest?: string }) | undefined {
  if (entry.kind !== 'input-submit' || entry.format !== sessionFormat || !isRecord(entry.content)) return undefined
  return unpackBytes(entry.content) as unknown as Operation & { digest?: string }
}

/** The items of a session while operations change them: each operation takes time in proportion to what it changes. */
export class SessionItems {
  /** A removed item leaves a gap, so that the others keep their positions. */
  #items: (AgentInputItem | undefined)[]
  /** The positions of calls by their ids. Made for the first mutation: most sessions have none. */
  #calls: Map<string, Set<number>> | undefined

  constructor(items: readonly AgentInputItem[] = []) {
    this.#items = [...items]
  }

  list(): AgentInputItem[] {
    return this.#items.filter(item => item !== undefined)
  }

  apply(operation: Operation): void {
    if (operation.do === 'mutate') {
      for (const mutation of operation.mutations) this.#mutate(mutation)
      return
    }
    if (operation.do === 'reset') this.#clear()
    if (operation.do === 'cut') this.#cut(operation.drop)
    for (const item of operation.items) this.#set(this.#items.length, item)
  }

  #clear(): void {
    this.#items = []
    this.#calls = undefined
  }

  #cut(drop: number): void {
    for (let left = drop; left > 0 && this.#items.length > 0; ) {
      if (this.#items.at(-1) !== undefined) left--
      this.#remove(this.#items.length - 1)
      this.#items.pop()
    }
  }

  /** Replaces the first item of the call, and removes the others of the same call. */
  #mutate({ type, callId, replacement }: SessionHistoryMutation): void {
    if (type !== 'replace_function_call') return
    this.#calls ??= callsIn(this.#items)
    const [...places] = this.#calls.get(callId) ?? []
    if (places.length === 0) return
    const first = places.reduce((one, other) => Math.min(one, other))
    for (const place of places) this.#remove(place)
    this.#set(first, replacement)
  }

  #set(place: number, item: AgentInputItem): void {
    this.#items[place] = item
    if (this.#calls) addCall(this.#calls, place, item)
  }

  #remove(place: number): void {
    const item = this.#items[place]
    if (item?.type === 'function_call') this.#calls?.get(item.callId)?.delete(place)
    this.#items[place] = undefined
  }
}

function callsIn(items: readonly (AgentInputItem | undefined)[]): Map<string, Set<number>> {
  const calls = new Map<string, Set<number>>()
  for (const [place, item] of items.entries()) addCall(calls, place, item)
  return calls
}

function addCall(calls: Map<string, Set<number>>, place: number, item: AgentInputItem | undefined): void {
  if (item?.type !== 'function_call') return
  const places = calls.get(item.callId)
  if (places) places.add(place)
  else calls.set(item.callId, new Set([place]))
}
