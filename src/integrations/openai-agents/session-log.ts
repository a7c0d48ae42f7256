import type { AgentInputItem } from '@openai/agents'
import { AntiphonError } from '../../core/errors.ts'
import { isTooDeep } from '../../core/request/body-draft.ts'
import { assertName } from '../../journal/assert-name.ts'
import { packBytes } from '../../journal/bytes.ts'
import { digestOf } from '../../journal/digest.ts'
import type { Entry, InputSubmit } from '../../journal/entry.ts'
import type { Store } from '../../journal/index.ts'
import type { ThreadRow } from '../../journal/stores/store.ts'
import { applied, type Operation, operationIn, sessionFormat } from './session-items.ts'

/** An operation that happens once, however often it is asked for. */
export interface Once {
  readonly key: string
  /** What tells it from another one under the same key. */
  readonly digest: string
}

/**
 * The items of a session as a fold over its thread: an append-only log of operations, read from where it was read last.
 * The first entry decides whose thread it is. A session keeps its own: no turn and no worker ever takes it up.
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
    this.#store = store
    this.name = name
  }

  /** The items as they stand in the journal, and the position that they stand at. They are the same array until something changes. */
  async read(): Promise<{ items: readonly AgentInputItem[]; head: number }> {
    this.#thread ??= await this.#store.open(this.name)
    for (;;) {
      const entries = await this.#store.read(this.#thread.thread, this.#head)
      const last = entries.at(-1)
      if (!last) return { items: this.#items, head: this.#head }
      // A list of its own: whoever has the one before keeps it as it was.
      this.#items = entries.reduce((items, entry) => this.#taken(items, entry), [...this.#items])
      this.#head = last.seq
    }
  }

  /** Whether an operation has happened already. Another one under its key is the caller's mistake. */
  isDone({ key, digest }: Once): boolean {
    const done = this.#done.get(key)
    if (done === undefined || done === digest) return done !== undefined
    throw taken(this.name, key)
  }

  /** Writes an operation, only if nothing was written behind `head`. False if something was. */
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
        throw new AntiphonError('refused-write', `session ${this.name} could not be written: ${written.why}`)
      if (head !== undefined) return false
    }
  }

  /** Where to write, and on what condition: a thread that has entries is a session's, and one that has none becomes one. */
  async #place(head: number | undefined) {
    if (this.#thread?.state !== 'kept') this.#thread = await this.#store.open(this.name)
    const { thread, state, head: known } = this.#thread
    if (state === 'kept') return { thread, guard: head === undefined ? {} : { head } }
    if (known > 0) throw foreign(this.name)
    return { thread, guard: { head: 0, state: 'kept' } as const }
  }

  #taken(items: AgentInputItem[], entry: Entry): AgentInputItem[] {
    const operation = operationIn(entry)
    if (!operation && entry.seq === 1) throw foreign(this.name)
    const { key, digest } = { key: undefined, digest: undefined, ...entry, ...operation }
    if (key !== undefined && digest !== undefined) this.#done.set(key, digest)
    return operation ? applied(items, operation) : items
  }
}

/** Two values that are stored alike have one digest. */
export const digestOfStored = (value: unknown): string => digestOf(plain(value))

/** What a reader of the journal gets. */
function plain(value: unknown): Record<string, unknown> {
  try {
    const stored = JSON.parse(JSON.stringify(packBytes(value), whole))
    if (isTooDeep(stored)) throw new RangeError('it is nested too deep')
    return stored
  } catch (error) {
    throw new AntiphonError('not-json', 'an item of the session cannot be written as JSON', {
      hint: 'items are plain data and bytes: no functions, no maps, no blobs, no circles, no BigInt, nested at most 500 deep',
      cause: error,
    })
  }
}

/** JSON leaves out what is in such a value, and says nothing. */
function whole(key: string, value: unknown): unknown {
  const isLost = typeof value === 'object' ? !plainTags.test(tagOf(value)) : unwritten.has(typeof value)
  if (isLost) throw new TypeError(`${key} is ${tagOf(value)}`)
  return value
}

const plainTags = /^\[object (Object|Array|Null)\]$/
const unwritten: ReadonlySet<string> = new Set(['function', 'symbol'])
const tagOf = (value: unknown): string => Object.prototype.toString.call(value)

const taken = (name: string, key: string): AntiphonError =>
  new AntiphonError('key-taken', `another operation of session ${name} was done under the id ${key}`, {
    hint: 'an id stands for one operation: make a new one for another',
  })

const foreign = (name: string): AntiphonError =>
  new AntiphonError('not-a-session', `thread ${name} of the journal is no session of the OpenAI Agents SDK`, {
    hint: 'give the session a name of its own',
  })
