import type { Tape } from '../observe/tape/create-tape.ts'
import { tapeFromEnvironment } from '../observe/tape/environment.ts'
import { openTelemetry } from '../observe/telemetry/telemetry.ts'
import type { TelemetryOptions } from '../observe/telemetry/telemetry-options.ts'
import { type Clock, systemClock } from './clock.ts'
import { Journal } from './journal.ts'
import { LiveHub } from './live/live-hub.ts'
import { type LiveOption, openTransport } from './live/open-transport.ts'
import { type Seal, sealKeysOf } from './seal/seal-keys.ts'
import { SealedStore } from './seal/sealed-store.ts'
import { LazyStore } from './stores/lazy-store.ts'
import { type JournalLocation, openStore, type StoreOptions, storeNameOf } from './stores/open-store.ts'
import type { Store } from './stores/store.ts'
import { randomUid } from './stores/uid.ts'

export interface JournalOptions extends StoreOptions {
  /** For tests: the clock to use. */
  readonly clock?: Clock
  /** The name of this process in leases; random by default. */
  readonly owner?: string
  /** Records what this process writes. By default the tape named by ANTIPHON_TAPE, if it is set. */
  readonly tape?: Tape
  /**
   * Encrypts the content of threads that begin from now on, with a key per thread: a key of 32 bytes that wraps those keys, or functions that do.
   * Names, times and states stay readable.
   */
  readonly seal?: Seal
  /**
   * Open the store on first use, not now: nothing is created, and no database is asked, until then. By default only in `next build`, which loads
   * every route, in several processes, and answers no request.
   */
  readonly lazy?: boolean
  /**
   * Connects the processes that use the journal, so that each is told at once what others write and stream: `true` by way of the PostgreSQL server, or
   * of a socket next to the SQLite file; an address by way of another server. Without it they poll.
   */
  readonly live?: LiveOption
  /** OpenTelemetry spans of turns, model calls and tools. On by default if `@opentelemetry/api` is installed. */
  readonly telemetry?: boolean | TelemetryOptions
}

/** Opens a journal, and creates it if it does not exist: `memory:`, `sqlite:FILE`, `postgres://...`, `{ pool }`, or `{ shards: [...] }`. */
export async function openJournal(location: JournalLocation | Store, options: JournalOptions = {}): Promise<Journal> {
  const {
    clock = systemClock,
    owner = `${process.pid}-${randomUid()}`,
    tape = tapeFromEnvironment(),
    telemetry,
    seal,
    live,
    lazy = process.env.NEXT_PHASE === 'phase-production-build',
    ...more
  } = options
  const keys = seal && sealKeysOf(seal)
  const opened = await openTelemetry(telemetry)
  const hub = new LiveHub(clock, await openTransport(live, location, more), opened?.countOutage)
  const open = async (): Promise<Store> => {
    const store = isStore(location) ? location : await openStore(location, { now: () => clock.now(), ...more })
    hub.start()
    return store
  }
  const inner = lazy && !isStore(location) ? new LazyStore(storeNameOf(location), open) : await open()
  const store = keys ? new SealedStore(inner, keys) : inner
  return new Journal(store, clock, owner, tape, opened, hub)
}

const isStore = (location: JournalLocation | Store): location is Store =>
  typeof location === 'object' && 'write' in location
