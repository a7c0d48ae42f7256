import type { Entry, EntryData } from '../../../src/journal/entry.ts'
import type { Store, Write, WriteResult } from '../../../src/journal/stores/store.ts'
import { ConnectionLostError } from './remote-store.ts'

/** A store that does not do what a store promises. */
export interface StoreFault {
  /** What it does. */
  readonly name: string
  /** What comes of it. */
  readonly finds: RegExp
  readonly spoil: (store: Store) => Store
}

export const storeFaults: readonly StoreFault[] = [
  {
    name: 'writes after whatever was written meanwhile',
    finds: /says input \d+ a second time/,
    spoil: writesBehind,
  },
  {
    name: 'takes the writes of an owner that was replaced',
    finds: /is by p\d+, and p\d+ owns the turn/,
    spoil: store => writing(store, ({ head: _, epoch: __, ...write }) => store.write(write)),
  },
  {
    name: 'gives a lease to everybody, and the same epoch',
    finds: /is by p\d+, and p\d+ owns the turn/,
    spoil: store => writing(store, ({ lease: _, ...write }) => store.write(write)),
  },
  {
    name: 'forgets that a call has begun',
    finds: /ran a second time/,
    spoil: store => hiding(store, 'call-start'),
  },
  {
    name: 'forgets that a call was approved',
    finds: /ran for .* without approval/,
    spoil: store => hiding(store, 'call-decide'),
  },
  {
    name: 'forgets that a turn was interrupted',
    finds: /was said to be interrupted, and it is not/,
    spoil: store => hiding(store, 'turn-interrupt'),
  },
  {
    name: 'forgets the keys of inputs',
    finds: /has the key .*, which was there before/,
    spoil: store => writing(store, ({ input: _, ...write }) => store.write(write)),
  },
  {
    name: 'takes other words under a known key for the same',
    finds: /the receipt of .* where it does not stand/,
    spoil: store =>
      writing(store, async write => {
        const written = await store.write(write)
        if (written.ok || !written.known || !write.input) return written
        return { ...written, known: { ...written.known, digest: write.input.digest } }
      }),
  },
  {
    name: 'acknowledges input that it loses',
    finds: /the receipt of .* where it does not stand/,
    spoil: store => losing(store, 'input-submit'),
  },
  {
    name: 'acknowledges late results that it loses',
    finds: /was said to be settled with .*, and it is not/,
    spoil: store => losing(store, 'call-late'),
  },
  {
    name: 'writes the beginning of a write, and fails',
    finds: /there is something to do from .* on, but it is due never/,
    spoil: store => {
      let writes = 0
      return writing(store, async write => {
        if (write.entries.length < 2 || ++writes % 3 > 0) return store.write(write)
        await store.write({ ...write, entries: write.entries.slice(0, 1) })
        throw new ConnectionLostError()
      })
    },
  },
  {
    name: 'forgets that there is something to do',
    finds: /it is stuck/,
    spoil: store =>
      writing(store, ({ dueAt, ...write }) =>
        store.write(dueAt === undefined || dueAt === 'now' ? write : { ...write, dueAt }),
      ),
  },
  {
    name: 'reads what was there some time ago',
    finds: /refused a write to thread/,
    spoil: store => {
      let reads = 0
      const read: Store['read'] = async (...place) => {
        const entries = await store.read(...place)
        return ++reads % 7 === 0 ? entries.slice(0, -1) : entries
      }
      return replacing(store, { read })
    },
  },
]

export function writesBehind(store: Store): Store {
  return writing(store, ({ head: _, ...write }) => store.write(write))
}

const writing = (store: Store, write: (write: Write) => Promise<WriteResult>): Store => replacing(store, { write })

/** Something stands where entries of that kind should, and nobody can tell what it was. */
function hiding(store: Store, kind: Entry['kind']): Store {
  const mislaid = { kind: 'mislaid' } as unknown as EntryData
  const hidden = (entry: EntryData): EntryData => (entry.kind === kind ? mislaid : entry)
  return writing(store, write => store.write({ ...write, entries: write.entries.map(hidden) }))
}

/** Writes of nothing but entries of that kind are acknowledged, and done only every second time. */
function losing(store: Store, kind: Entry['kind']): Store {
  let writes = 0
  return writing(store, async write => {
    const isOther = write.entries.length === 0 || write.entries.some(entry => entry.kind !== kind)
    if (isOther || ++writes % 2 === 0) return store.write(write)
    const { head, epoch } = await store.get(write.thread)
    return { ok: true, head: head + write.entries.length, epoch, at: await store.now() }
  })
}

const replacing = (store: Store, replaced: Partial<Store>): Store =>
  new Proxy(store, {
    get(target, name) {
      if (Object.hasOwn(replaced, name)) return Reflect.get(replaced, name)
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
