import type { AgentInputItem } from '@openai/agents'
import { AntiphonError } from '../../core/errors.ts'
import { isTooDeep } from '../../core/json/nesting.ts'
import { parentOf } from '../../journal/agents/child-name.ts'
import { assertName } from '../../journal/assert-name.ts'
import { packBytes } from '../../journal/bytes.ts'
import { digestOf } from '../../journal/digest/digest.ts'
import type { Entry, InputSubmit } from '../../journal/entry.ts'
import type { Store } from '../../journal/index.ts'
import type { ThreadRow } from '../../journal/stores/store.ts'
import { type Operation, operationIn, SessionItems, sessionFormat } from './session-items.ts'

/** Identifies an operation that is applied once, however often it is requested. */
export interface Once {
  readonly key: string
  /** Distinguishes it from another operation with the same key. */
  readonly digest: string
}

/**
 * The items of a session as a fold over its thread: an append-only log of operations, read from where it was read last.
 * The first entry decides what the thread is used for. A thread of a session has the state `kept`: no turn and no worker takes it.
 */
export class SessionLog {
  readonly name: string
  readonly #store: Store
  #thread: ThreadRow | undefined
  #head = 0
  #items: readonly AgentInputItem[] = []
  readonly #done = new Map<string, string>()

  constructor(store: Store, name: string) {
    assertName(name, 'the name of a session')
    if (parentOf(name)) throw reserved(name)
    this.#store = store
    this.name = name
  }

  /** The current items, and the sequence number of the last entry. It is the same array until something changes. */
  async read(): Promise<{ items: readonly AgentInputItem[]; head: number }> {
    this.#thread ??= await this.#store.open(this.name)
    for (;;) {
      const entries = await this.#store.read(this.#thread.thread, this.#head)
      const last = entries.at(-1)
      if (!last) return { items: this.#items, head: this.#head }
      // A new list, because the previous one was returned to callers.
      const items = new SessionItems(this.#items)
      for (const entry of entries) this.#take(items, entry)
      this.#items = items.list()
      this.#head = last.seq
    }
  }

  /** Whether the operation was applied already. Throws if another one has its key. */
  isDone({ key, digest }: Once): boolean {
    const done = this.#done.get(key)
    if (done === undefined || done === digest) return done !== undefined
    throw taken(this.name, key)
  }

  /** Writes an operation. With `head`, only if it is still the last entry; otherwise returns false. */
  async write(operation: Operation, { once, head }: { once?: Once; head?: number } = {}): Promise<boolean> {
    if (once) assertName(once.key, 'the id of an operation')
    const entry: InputSubmit = {
      kind: 'input-submit',
      ...(once && { key: once.key }),
      content: { ...plain(operation), ...(once && { digest: once.digest }) },
      ...{ format: sessionFormat, when: 'queue' },
    }
    for (;;) {
      const { thread, guard } = await this.#place(head)
      const written = await this.#store.write({
        thread,
        entries: [entry],
        ...guard,
        ...(once && { input: { ...once } }),
      })
      if (written.ok) return true
      if (once && written.known?.digest === once.digest) return true
      if (once && written.known) throw taken(this.name, once.key)
      if (written.why !== 'moved')
        throw new AntiphonError('refused-write', `session ${this.name} could not be written: ${written.why}`, {
          hint: 'nothing was stored; read the session again',
        })
      if (head !== undefined) return false
    }
  }

  /** The thread, and the condition of the write. An empty thread becomes a session; one with other entries throws. */
  async #place(head: number | undefined) {
    if (this.#thread?.state !== 'kept') this.#thread = await this.#store.open(this.name)
    const { thread, state, head: known } = this.#thread
    if (state === 'kept') return { thread, guard: head === undefined ? {} : { head } }
    if (known > 0) throw foreign(this.name)
    return { thread, guard: { head: 0, state: 'kept' } as const }
  }

  #take(items: SessionItems, entry: Entry): void {
    const operation = operationIn(entry)
    if (!operation && entry.seq === 1) throw foreign(this.name)
    const { key, digest } = { key: undefined, digest: undefined, ...entry, ...operation }
    if (key !== undefined && digest !== undefined) this.#done.set(key, digest)
    if (operation) items.apply(operation)
  }
}

/** Values that are stored as the same JSON have the same digest. */
export const digestOfStored = (value: unknown): string => digestOf(plain(value))

/** The value as it is read back from the journal. */
function plain(value: unknown): Record<string, unknown> {
  try {
    const stored = JSON.parse(JSON.stringify(packBytes(value), whole))
    if (isTooDeep(stored)) throw new RangeError('it is nested too deep')
    return stored
  } catch (error) {
    throw new AntiphonError('not-json', 'an item of the session cannot be written as JSON', {
      hint: 'items are plain data and bytes: no functions, maps, blobs, cycles or BigInt, and at most 500 levels deep',
      cause: error,
    })
  }
}

/** A `JSON.stringify` replacer that throws on values whose content JSON would omit silently. */
function whole(key: string, value: unknown): unknown {
  const isLost = typeof value === 'object' ? !plainTags.test(tagOf(value)) : unwritten.has(typeof value)
  if (isLost) throw new TypeError(`${key} is ${tagOf(value)}`)
  return value
}

const plainTags = /^\[object (Object|Array|Null)\]$/
const unwritten: ReadonlySet<string> = new Set(['function', 'symbol'])
const tagOf = (value: unknown): string => Object.prototype.toString.call(value)

const taken = (name: string, key: string): AntiphonError =>
  new AntiphonError('key-taken', `the operation id ${key} of session ${name} was used for another operation`, {
    hint: 'use a new id for each operation',
  })

const reserved = (name: string): AntiphonError =>
  new AntiphonError('invalid-name', `the name of a session must not have the form of ${name}, the thread of an agent`, {
    hint: 'use another name',
  })

const foreign = (name: string): AntiphonError =>
  new AntiphonError('not-a-session', `thread ${name} of the journal is not a session of the OpenAI Agents SDK`, {
    hint: 'use another name for the session',
  })
