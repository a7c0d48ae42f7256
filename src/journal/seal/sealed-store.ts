import { AntiphonError } from '../../core/errors.ts'
import type { CallPlace, Entry } from '../entry.ts'
import type { StoredMetadata } from '../metadata/stored-metadata.ts'
import type {
  EraseOptions,
  Erasure,
  Store,
  TextSealer,
  ThreadOrder,
  ThreadRow,
  Write,
  WriteResult,
} from '../stores/store.ts'
import {
  assertFollows,
  draftEntry,
  type EntryDraft,
  isSealed,
  openEntry,
  plainEntry,
  sealEntry,
  sealKeyIn,
  type ThreadKey,
  type ThreadTip,
  tipOf,
} from './seal-entry.ts'
import { decrypt, encrypt, prepareKey, randomKey, type SealKeys, sealedIdOf } from './seal-keys.ts'
import { sealedError } from './sealed-error.ts'

/**
 * A store that encrypts the content of entries with a key per thread. The key is made with the first entry of the thread and stored in it, wrapped.
 * A thread that began without a seal stays as it is.
 */
export class SealedStore implements Store {
  readonly name: Store['name']
  readonly #inner: Store
  readonly #keys: SealKeys
  /** The keys of threads, for their names; `plain` for a thread without one. Threads without entries are not included. */
  readonly #known = new Map<number, KnownThread>()
  readonly #writing = new Set<Promise<unknown>>()
  /** By thread: the last write without a `head`, whose position is chosen here. */
  readonly #placing = new Map<number, Promise<unknown>>()
  #closing: Promise<void> | undefined

  constructor(inner: Store, keys: SealKeys) {
    this.name = inner.name
    this.#inner = inner
    this.#keys = keys
  }

  async open(name: string): Promise<ThreadRow> {
    return this.#openRow(await this.#inner.open(name))
  }

  async find(name: string): Promise<ThreadRow | undefined> {
    const row = await this.#inner.find(name)
    return row && this.#openRow(row)
  }

  async get(thread: number): Promise<ThreadRow> {
    return this.#openRow(await this.#inner.get(thread))
  }

  async write(write: Write): Promise<WriteResult> {
    const drafts = write.entries.map(draftEntry)
    const { input } = write
    const settings = { ...write, ...(input && { input: { ...input } }) }
    const sealing = this.#sealAtOnce(settings, drafts)
    if (sealing) return sealing
    if (this.#closing) await this.#closing
    return this.#finish(this.#write(settings, drafts))
  }

  /** The usual case: the key and the entry before are known, so that the write reaches the store without waiting. */
  #sealAtOnce(write: Write, drafts: readonly EntryDraft[]): Promise<WriteResult> | undefined {
    const { thread, head } = write
    const known = this.#known.get(thread)
    if (this.#closing || head === undefined || known?.tip?.seq !== head) return undefined
    if (!known.ready || known.ready === 'plain' || this.#placing.has(thread)) return undefined
    return this.#finish(this.#writeAfter(known.tip, { ...write, head }, drafts, known.ready))
  }

  /** `close` waits for this write. */
  async #finish<T>(writing: Promise<T>): Promise<T> {
    this.#writing.add(writing)
    try {
      return await writing
    } finally {
      this.#writing.delete(writing)
    }
  }

  async #write(write: Write, drafts: readonly EntryDraft[]): Promise<WriteResult> {
    if (drafts.length === 0 && !write.input) return this.#inner.write(write)
    for (;;) {
      const known = this.#known.get(write.thread)?.ready
      const key = known ?? (await this.#keyOf(write.thread))
      if (key === 'plain') return this.#inner.write({ ...write, entries: drafts.map(plainEntry) })
      if (key) return this.#writePlaced(write, drafts, key)
      if (drafts.length === 0) return this.#inner.write(write)
      const written = await this.#writeFirst(write, drafts)
      // If the thread has entries, another process was faster and has made the key.
      if (written.ok || written.row.head === 0) return written
    }
  }

  async sealer(thread: number): Promise<TextSealer | undefined> {
    const found = await this.#keyOf(thread)
    // A response streams only after the first entry of its thread, which makes the key.
    if (!found) throw sealedError('the thread has no key yet')
    if (found === 'plain') return undefined
    const context = `${found.id} live`
    return {
      seal: text => encrypt(found.key, text, context).toString('base64'),
      open: sealed => decrypt(found.key, Buffer.from(sealed, 'base64'), context).toString(),
    }
  }

  renew(thread: number, epoch: number, leaseMs: number): Promise<boolean> {
    return this.#inner.renew(thread, epoch, leaseMs)
  }

  async read(thread: number, after: number, limit?: number): Promise<Entry[]> {
    const entries = await this.#inner.read(thread, after, limit)
    const key = entries.length > 0 ? await this.#keyOf(thread) : undefined
    if (key && key !== 'plain') return this.#openEntries(thread, entries, key)
    if (entries.some(isSealed)) throw sealedError('the first entry of the thread has no key')
    return entries
  }

  async #openEntries(thread: number, entries: readonly Entry[], key: ThreadKey): Promise<Entry[]> {
    const opened: Entry[] = []
    const before = (entries[0]?.seq ?? 1) - 1
    let tip = this.#knownTip(thread, before) ?? (await this.#readTip(thread, before))
    for (const entry of entries) {
      opened.push(openEntry(entry, key))
      assertFollows(entry, tip)
      tip = tipOf(entry, entry.seq)
    }
    this.#keepTip(thread, tip)
    return opened
  }

  /** The tip at a position, if this process knows it. */
  #knownTip(thread: number, seq: number): ThreadTip | undefined {
    const tip = this.#known.get(thread)?.tip
    return tip?.seq === seq ? tip : undefined
  }

  /** Undefined at the beginning, and if the entry does not exist: the write that follows it is refused then. */
  async #readTip(thread: number, seq: number): Promise<ThreadTip | undefined> {
    if (seq < 1) return undefined
    const [entry] = await this.#inner.read(thread, seq - 1, 1)
    return entry && tipOf(entry, entry.seq)
  }

  #keepTip(thread: number, tip: ThreadTip | undefined): void {
    const known = this.#known.get(thread)
    if (known && tip && tip.seq > (known.tip?.seq ?? 0)) known.tip = tip
  }

  due(limit: number): Promise<ThreadRow[]> {
    return this.#inner.due(limit)
  }

  async list(after: number, limit: number, order?: ThreadOrder): Promise<ThreadRow[]> {
    return Promise.all((await this.#inner.list(after, limit, order)).map(row => this.#openRow(row)))
  }

  /** Their places are not sealed. */
  agentCalls(thread: number): Promise<CallPlace[]> {
    return this.#inner.agentCalls(thread)
  }

  /** Labels stay readable. Title and data get a key of their own, since a thread has none before its first entry. */
  async describe(thread: number, metadata: StoredMetadata): Promise<boolean> {
    const { title, data, ...open } = metadata
    // If the first entry is damaged, the row does not show a title in clear text, and this would remove it.
    await this.#keyOf(thread).catch(undefinedIfSealed)
    if (title === undefined && data === undefined) return this.#inner.describe(thread, metadata)
    const secret = JSON.stringify({ title, data })
    if (this.#closing) await this.#closing
    return this.#finish(this.#describeSealed(thread, open, secret))
  }

  async #describeSealed(thread: number, open: StoredMetadata, secret: string): Promise<boolean> {
    const { name, uid } = await this.#inner.get(thread)
    const made = randomKey()
    const wrapped = await this.#keys.wrap(made, { thread: name, uid })
    const id = sealedIdOf({ thread: name, uid })
    const sealed = {
      content: encrypt(prepareKey(made), secret, metadataContext(id)).toString('base64'),
      key: Buffer.from(wrapped).toString('base64'),
    }
    return this.#inner.describe(thread, { ...open, sealed })
  }

  /** The row with its title and data. If their key is destroyed, the thread can still be listed without them. */
  async #openRow(row: ThreadRow): Promise<ThreadRow> {
    const { metadata, name, uid, thread } = row
    // Another program has renamed it.
    if (this.#known.get(thread)?.name !== name) this.#known.delete(thread)
    if (!metadata?.sealed) return this.#withoutForged(row)
    const { sealed, ...open } = metadata
    try {
      const key = await this.#keys.unwrap(Buffer.from(sealed.key, 'base64'), { thread: name, uid })
      const context = metadataContext(sealedIdOf({ thread: name, uid }))
      const secret = decrypt(prepareKey(key), Buffer.from(sealed.content, 'base64'), context)
      return { ...row, metadata: { ...open, ...JSON.parse(secret.toString()) } }
    } catch {
      return row
    }
  }

  /** Ignores a title and data in clear text if the thread is sealed: anyone who can write to the database may have forged them. */
  async #withoutForged(row: ThreadRow): Promise<ThreadRow> {
    const { title, data, ...open } = row.metadata ?? { revision: 0, labels: [] }
    if (row.head === 0 || (title === undefined && data === undefined)) return row
    const key = await this.#keyOf(row.thread).catch(error => {
      // A title that is left out here would be lost with the next change of the labels. A damaged thread can still be found, to be erased.
      return AntiphonError.is(error) && error.code === 'journal-damaged' ? undefined : undefinedIfSealed(error)
    })
    return key === 'plain' ? row : { ...row, metadata: open }
  }

  erase(thread: number, options?: EraseOptions): Promise<Erasure> {
    this.#known.delete(thread)
    return this.#inner.erase(thread, options)
  }

  now(): Promise<number> {
    return this.#inner.now()
  }

  /** Waits for writes in progress, which may not have reached the store yet. */
  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#writing).then(() => {
      this.#known.clear()
      return this.#inner.close()
    })
    return this.#closing
  }

  /** Makes the key with the first write to the thread. If the thread has entries by now, the write is refused. */
  async #writeFirst(write: Write, drafts: readonly EntryDraft[]): Promise<WriteResult> {
    const { name, uid } = await this.#inner.get(write.thread)
    const made = randomKey()
    const wrapped = Buffer.from(await this.#keys.wrap(made, { thread: name, uid })).toString('base64')
    const key = { key: prepareKey(made), id: sealedIdOf({ thread: name, uid }) }
    const written = await this.#writeSealed({ ...write, head: write.head ?? 0 }, drafts, key, wrapped)
    if (written.ok) this.#remember(write.thread, name, Promise.resolve(key))
    return written
  }

  /** An entry is bound to its position. A write without a `head` gets the next one, after earlier writes of this process without one. */
  async #writePlaced({ head: given, ...write }: Write, drafts: readonly EntryDraft[], key: ThreadKey) {
    if (given !== undefined) return this.#writeSealed({ ...write, head: given }, drafts, key)
    const before = this.#placing.get(write.thread)
    const writing = (async (): Promise<WriteResult> => {
      await before?.catch(() => {})
      // If other processes have written since, the first attempt is refused and the next one uses the new head.
      const last = this.#known.get(write.thread)?.tip
      for (let { head } = last ? { head: last.seq } : await this.#inner.get(write.thread); ; ) {
        const written = await this.#writeSealed({ ...write, head }, drafts, key)
        if (written.ok || written.why !== 'moved') return written
        head = written.row.head
      }
    })()
    this.#placing.set(write.thread, writing)
    try {
      return await writing
    } finally {
      if (this.#placing.get(write.thread) === writing) this.#placing.delete(write.thread)
    }
  }

  /** The digest of an input is sealed too: otherwise a guess of the content could be checked with it. */
  async #writeSealed(
    { input, ...write }: PlacedWrite,
    drafts: readonly EntryDraft[],
    key: ThreadKey,
    wrapped?: string,
  ): Promise<WriteResult> {
    const tip = this.#knownTip(write.thread, write.head) ?? (await this.#readTip(write.thread, write.head))
    return this.#writeAfter(tip, { ...write, ...(input && { input }) }, drafts, key, wrapped)
  }

  async #writeAfter(
    before: ThreadTip | undefined,
    { input, ...write }: PlacedWrite,
    drafts: readonly EntryDraft[],
    key: ThreadKey,
    wrapped?: string,
  ): Promise<WriteResult> {
    let tip = before
    const asBytes = this.#inner.takesBytes === true
    const context = input ? digestContext(key.id, input.key) : ''
    const entries = drafts.map((draft, index) => {
      const seq = write.head + 1 + index
      const sealed = sealEntry(draft, key, { seq, after: tip, sealKey: index === 0 ? wrapped : undefined, asBytes })
      tip = sealed.tip
      return sealed.entry
    })
    const written = await this.#inner.write({
      ...write,
      entries,
      ...(input && { input: { ...input, digest: encrypt(key.key, input.digest, context).toString('base64') } }),
    })
    if (written.ok) this.#keepTip(write.thread, tip)
    if (written.ok || !written.known || wrapped !== undefined) return written
    const { digest, seq } = written.known
    try {
      return { ...written, known: { seq, digest: decrypt(key.key, Buffer.from(digest, 'base64'), context).toString() } }
    } catch (cause) {
      throw sealedError(`the digest of input ${seq} cannot be decrypted with the key of its thread`, cause)
    }
  }

  #keyOf(thread: number): Promise<ThreadKey | 'plain' | undefined> {
    return this.#known.get(thread)?.key ?? this.#findKey(thread)
  }

  async #findKey(thread: number): Promise<ThreadKey | 'plain' | undefined> {
    const [first] = await this.#inner.read(thread, 0, 1)
    if (!first) return undefined
    const row = await this.#inner.get(thread)
    const wrapped = sealKeyIn(first)
    const key = wrapped === undefined ? Promise.resolve('plain' as const) : this.#unwrap(row, wrapped, first)
    this.#remember(thread, row.name, key)
    return key
  }

  /** The first entry shows whether it is the key of the thread. Nothing is written with any other key. */
  async #unwrap({ name, uid }: ThreadRow, wrapped: string, first: Entry): Promise<ThreadKey> {
    const sealed = { thread: name, uid }
    let key: ThreadKey
    try {
      const unwrapped = await this.#keys.unwrap(Buffer.from(wrapped, 'base64'), sealed)
      key = { key: prepareKey(unwrapped), id: sealedIdOf(sealed) }
    } catch (cause) {
      throw sealedError('the key of the thread cannot be unwrapped', cause)
    }
    openEntry(first, key)
    return key
  }

  #remember(thread: number, name: string, key: Promise<ThreadKey | 'plain'>): void {
    if (this.#known.size >= knownMax) this.#known.clear()
    const known: KnownThread = { name, key }
    this.#known.set(thread, known)
    key.then(
      ready => {
        known.ready = ready
      },
      () => this.#known.delete(thread),
    )
  }
}

/** A thread with entries, as far as this process knows it. */
interface KnownThread {
  readonly name: string
  readonly key: Promise<ThreadKey | 'plain'>
  /** The key, once it is known: awaiting the promise again would slow down every write. */
  ready?: ThreadKey | 'plain'
  /** The last entry that was read or written here. */
  tip?: ThreadTip
}

function undefinedIfSealed(error: unknown): undefined {
  if (!AntiphonError.is(error) || error.code !== 'journal-sealed') throw error
}

type PlacedWrite = Write & { readonly head: number }

const digestContext = (id: string, key: string): string => JSON.stringify([id, 'input', key])

const metadataContext = (id: string): string => `${id} thread-describe`

const knownMax = 10_000
