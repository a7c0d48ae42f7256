import type { Store, Write } from '../../src/journal/stores/store.ts'
import type { Ledger } from './ledger.ts'
import type { Points } from './points.ts'
import type { Renewals } from './renewals.ts'

/** The same store, with a point before and after every write, and a line for each that is acknowledged. */
export function watchedStore(store: Store, points: Points, ledger: Ledger, renewals: Renewals): Store {
  return {
    name: store.name,
    open: name => store.open(name),
    find: name => store.find(name),
    get: thread => store.get(thread),
    read: (thread, after, limit) => store.read(thread, after, limit),
    due: limit => store.due(limit),
    list: (after, limit, order) => store.list(after, limit, order),
    agentCalls: thread => store.agentCalls(thread),
    now: () => store.now(),
    async describe(thread, metadata) {
      points.reach('before describe')
      const isDescribed = await store.describe(thread, metadata)
      points.reach('after describe')
      return isDescribed
    },
    async erase(thread, options) {
      points.reach('before erase')
      const erasure = await store.erase(thread, options)
      points.reach('after erase')
      return erasure
    },
    close: () => store.close(),
    async write(write) {
      const name = nameOf(write)
      points.reach(`before ${name}`)
      const written = await store.write(write)
      const { thread, entries } = write
      if (written.ok) ledger.add({ kind: 'written', write: { thread, entries }, written })
      else ledger.add({ kind: 'refused', why: written.why, write: name })
      points.reach(`after ${name}`)
      return written
    },
    async renew(thread, epoch, leaseMs) {
      points.reach('before renew')
      const isMine = await store.renew(thread, epoch, leaseMs)
      points.reach('after renew')
      renewals.tell()
      return isMine
    },
  }
}

/** A write by what it adds. */
const nameOf = ({ entries }: Write): string =>
  entries.length === 0 ? 'rest' : [...new Set(entries.map(({ kind }) => kind))].join('+')
