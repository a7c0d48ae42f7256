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

/** Applies an operation to the list in place, so that a long log is folded in linear time. */
export function applied(items: AgentInputItem[], operation: Operation): AgentInputItem[] {
  if (operation.do === 'mutate') return operation.mutations.reduce(mutated, items)
  if (operation.do === 'reset') items.length = 0
  if (operation.do === 'cut') items.length = Math.max(0, items.length - operation.drop)
  for (const item of operation.items) items.push(item)
  return items
}

/** Replaces the first item of the call, and removes the others of the same call. */
function mutated(items: AgentInputItem[], mutation: SessionHistoryMutation): AgentInputItem[] {
  if (mutation.type !== 'replace_function_call') return items
  const isMeant = (item: AgentInputItem) => item.type === 'function_call' && item.callId === mutation.callId
  const first = items.findIndex(isMeant)
  return items.flatMap((item, index) => (index === first ? mutation.replacement : isMeant(item) ? [] : item))
}
