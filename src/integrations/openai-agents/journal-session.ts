import type {
  AgentInputItem,
  SessionHistoryRewriteAwareSession,
  SessionHistoryTransactionArgs,
  SessionHistoryTransactionAwareSession,
} from '@openai/agents'
import { AntiphonError } from '../../core/errors.ts'
import { type HealOptions, planFor } from '../../heal/options.ts'
import { warn, warnOfLoss } from '../../heal/warn.ts'
import type { Journal } from '../../journal/index.ts'
import { notify } from '../fetch/notify.ts'
import { healItems } from './heal-items.ts'
import type { Operation } from './session-items.ts'
import { digestOfStored, SessionLog } from './session-log.ts'

export interface JournalSessionOptions extends Omit<HealOptions, 'format'> {
  /** Called with the error if healing failed and the items were returned unchanged. By default it is a process warning. */
  readonly onError?: (error: unknown) => void
}

export type JournalSession = SessionHistoryTransactionAwareSession &
  SessionHistoryRewriteAwareSession & {
    replaceHistoryWithCompaction(items: AgentInputItem[]): Promise<void>
    prepareHistoryItemsForPersistenceComparison(items: AgentInputItem[]): AgentInputItem[]
    /** The items exactly as they were stored, unhealed. */
    getStoredItems(): Promise<AgentInputItem[]>
  }

/**
 * A session of the OpenAI Agents SDK, stored in a journal. Every change is one entry, written atomically. The log keeps every item, also
 * after `clearSession`. `getItems` returns what the provider accepts: a call whose result was lost has a placeholder.
 */
export function journalSession(journal: Journal, name: string, options: JournalSessionOptions = {}): JournalSession {
  const { onError = warn, onRepair = warnOfLoss, ...choices } = options
  planFor([], choices)
  const log = new SessionLog(journal.store, name)
  const enqueue = queue()
  /** By returned list: the stored items that it was made from. The SDK compares these with what it stored. */
  const stored = new WeakMap<object, readonly AgentInputItem[]>()
  let healed: { from: readonly AgentInputItem[]; items: AgentInputItem[] } | undefined

  function heal(items: readonly AgentInputItem[], wanted: HealOptions, report?: typeof onRepair): AgentInputItem[] {
    try {
      const { items: repaired, ...done } = healItems(items as AgentInputItem[], wanted)
      if (done.changed && report) notify(report, done)
      return repaired
    } catch (error) {
      notify(onError, error)
      return [...items]
    }
  }

  /** Decides an operation on the current items and writes it (compare-and-swap): if another process wrote first, it decides again. */
  async function decide(draft: (items: readonly AgentInputItem[]) => Operation | undefined): Promise<void> {
    for (;;) {
      const { items, head } = await log.read()
      const operation = draft(items)
      if (!operation || (await log.write(operation, { head }))) return
    }
  }

  async function transact({ operationId, transaction }: SessionHistoryTransactionArgs): Promise<void> {
    const once = { key: operationId, digest: digestOfStored(transaction) }
    for (;;) {
      const { items, head } = await log.read()
      if (log.isDone(once)) return
      if (transaction.type === 'append_items') {
        await log.write({ do: 'append', items: transaction.items }, { once })
        return
      }
      const { expectedSuffix, replacement } = transaction
      const drop = expectedSuffix.length
      const suffix = drop === 0 ? [] : items.slice(-drop)
      if (digestOfStored(suffix) !== digestOfStored(expectedSuffix)) throw moved(name)
      if (await log.write({ do: 'cut', drop, items: replacement }, { once, head })) return
    }
  }

  return {
    getSessionId: async () => name,

    getItems: limit =>
      enqueue(async () => {
        const { items } = await log.read()
        if (healed?.from !== items) healed = { from: items, items: heal(items, choices, onRepair) }
        const given = structuredClone(limit === undefined ? healed.items : lastOf(healed.items, limit))
        if (limit === undefined) stored.set(given, items)
        return given
      }),

    getStoredItems: () => enqueue(async () => structuredClone([...(await log.read()).items])),

    addItems: items =>
      enqueue(async () => {
        if (items.length > 0) await log.write({ do: 'append', items })
      }),

    popItem: () =>
      enqueue(async () => {
        let last: AgentInputItem | undefined
        await decide(items => {
          last = items.at(-1)
          return last && { do: 'cut', drop: 1, items: [] }
        })
        return structuredClone(last)
      }),

    clearSession: () => enqueue(() => decide(items => (items.length === 0 ? undefined : { do: 'reset', items: [] }))),

    replaceHistoryWithCompaction: items =>
      enqueue(async () => {
        await log.write({ do: 'reset', items })
      }),

    applyHistoryMutations: ({ mutations }) =>
      enqueue(async () => {
        if (mutations.length > 0) await log.write({ do: 'mutate', mutations })
      }),

    applyHistoryTransaction: args => enqueue(() => transact(args)),

    prepareHistoryItemsForPersistenceComparison: items => structuredClone([...(stored.get(items) ?? items)]),
  }

  /** The last items, without those that need an item before them. */
  function lastOf(items: readonly AgentInputItem[], limit: number): AgentInputItem[] {
    if (!(limit > 0)) return []
    if (limit >= items.length) return [...items]
    const last = items.slice(-limit)
    const first = last.findIndex(item => !isResult(item))
    // The limit is a maximum, so a result whose call is cut off is removed.
    return first < 0 ? [] : heal(last.slice(first), { ...choices, orphans: 'drop' })
  }
}

const isResult = ({ type }: AgentInputItem): boolean => /_(?:result|output)$/.test(type ?? '')

/** Runs operations one at a time, in order, so that a session does not write while it reads. */
function queue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const next = last.then(work, work)
    last = next.catch(() => {})
    return next
  }
}

const moved = (name: string): AntiphonError =>
  new AntiphonError('suffix-moved', `the end of session ${name} is not what the transaction expects`, {
    hint: 'another writer changed the session: read its items again',
  })
