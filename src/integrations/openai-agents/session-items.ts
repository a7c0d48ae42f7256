import type { AgentInputItem, SessionHistoryMutation } from '@openai/agents'
import { isRecord } from '../../core/conversation.ts'
import { unpackBytes } from '../../journal/bytes.ts'
import type { Entry } from '../../journal/entry.ts'

/** What happens to the items of a session. Each is one entry of the journal, and so happens as a whole or not at all. */
export type Operation =
  | { readonly do: 'append'; readonly items: readonly AgentInputItem[] }
  /** The last items go, and these come in their place. */
  | { readonly do: 'cut'; readonly drop: number; readonly items: readonly AgentInputItem[] }
  | { readonly do: 'reset'; readonly items: readonly AgentInputItem[] }
  | { readonly do: 'mutate'; readonly mutations: readonly SessionHistoryMutation[] }

/** How the entries of a session are marked. */
export const sessionFormat = 'openai-agents'

/** The operation that an entry of a session is, with the digest of one that happens once. Undefined for any other entry. */
export function operationIn(entry: Entry): (Operation & { readonly digest?: string }) | undefined {
  if (entry.kind !== 'input-submit' || entry.format !== sessionFormat || !isRecord(entry.content)) return undefined
  return unpackBytes(entry.content) as unknown as Operation & { digest?: string }
}

/** The items after an operation. Works on the list itself, so that a long log costs no more than its length. */
export function applied(items: AgentInputItem[], operation: Operation): AgentInputItem[] {
  if (operation.do === 'mutate') return operation.mutations.reduce(mutated, items)
  if (operation.do === 'reset') items.length = 0
  if (operation.do === 'cut') items.length = Math.max(0, items.length - operation.drop)
  for (const item of operation.items) items.push(item)
  return items
}

/** The first item of the call is replaced, and others of the same call go. */
function mutated(items: AgentInputItem[], mutation: SessionHistoryMutation): AgentInputItem[] {
  if (mutation.type !== 'replace_function_call') return items
  const isMeant = (item: AgentInputItem) => item.type === 'function_call' && item.callId === mutation.callId
  const first = items.findIndex(isMeant)
  return items.flatMap((item, index) => (index === first ? mutation.replacement : isMeant(item) ? [] : item))
}
