import { AntiphonError } from '../../core/errors.ts'
import type { CallPlace, Entry } from '../entry.ts'
import type { StoredMetadata } from '../metadata/stored-metadata.ts'
import type { EraseOptions, Erasure, Store, ThreadOrder, ThreadRow, Write, WriteResult } from './store.ts'

/** A store that is opened on first use. If that fails, the next use tries again. */
export class LazyStore implements Store {
  readonly name: Store['name']
  readonly takesBytes: boolean
  readonly #openStore: () => Promise<Store>
  #opened: Promise<Store> | undefined
  #closed = false

  constructor(name: Store['name'], openStore: () => Promise<Store>) {
    this.name = name
    this.takesBytes = name === 'sqlite'
    this.#openStore = openStore
  }

  async open(name: string): Promise<ThreadRow> {
    return (await this.#store()).open(name)
  }

  async find(name: string): Promise<ThreadRow | undefined> {
    return (await this.#store()).find(name)
  }

  async get(thread: number): Promise<ThreadRow> {
    return (await this.#store()).get(thread)
  }

  async write(write: Write): Promise<WriteResult> {
    return (await this.#store()).write(write)
  }

  async renew(thread: number, epoch: number, leaseMs: number): Promise<boolean> {
    return (await this.#store()).renew(thread, epoch, leaseMs)
  }

  async read(thread: number, after: number, limit?: number): Promise<Entry[]> {
    return (await this.#store()).read(thread, after, limit)
  }

  async due(limit: number): Promise<ThreadRow[]> {
    return (await this.#store()).due(limit)
  }

  async list(after: number, limit: number, order?: ThreadOrder): Promise<ThreadRow[]> {
    return (await this.#store()).list(after, limit, order)
  }

  async agentCalls(thread: number): Promise<CallPlace[]> {
    return (await this.#store()).agentCalls(thread)
  }

  async describe(thread: number, metadata: StoredMetadata): Promise<boolean> {
    return (await this.#store()).describe(thread, metadata)
  }

  async erase(thread: number, options?: EraseOptions): Promise<Erasure> {
    return (await this.#store()).erase(thread, options)
  }

  async now(): Promise<number> {
    return (await this.#store()).now()
  }

  /** Closing a store that was never used does not open it. */
  async close(): Promise<void> {
    this.#closed = true
    const store = await this.#opened?.catch(() => undefined)
    await store?.close()
  }

  #store(): Promise<Store> {
    if (this.#opened) return this.#opened
    if (this.#closed)
      return Promise.reject(new AntiphonError('journal-closed', 'the journal is closed', { hint: 'open it again' }))
    const opened = this.#openStore()
    this.#opened = opened
    opened.catch(() => {
      this.#opened = undefined
    })
    return opened
  }
}
