import { createHash } from 'node:crypto'
import type { AgentInputItem, SessionHistoryMutation } from '@openai/agents'
import { packBytes, unpackBytes } from '../../broker/bytes.ts'
import type { Store, Written } from '../../broker/index.ts'
import { mustBeName } from '../../broker/name.ts'
import { isRecord } from '../../core/conversation.ts'
import { AntiphonError } from '../../errors.ts'
import type { Entry } from '../../journal/entry.ts'

/** What happens to the items of a session. Each is one entry of the journal, and so happens as a whole or not at all. */
export type Operation =
  | { readonly do: 'append'; readonly items: readonly AgentInputItem[] }
  /** The last items go, and these come in their place. */
  | { readonly do: 'cut'; readonly drop: number; readonly items: readonly AgentInputItem[] }
  | { readonly do: 'reset'; readonly items: readonly AgentInputItem[] }
  | { readonly do: 'mutate'; readonly mutations: readonly SessionHistoryMutation[] }

/** An operation that happens once, however often it is asked for. */
export interface Once {
  readonly key: string
  /** What tells it from another one under the same key. */
  readonly digest: string
}

/**
 * The items of a session as a fold over its thread: an append-only log of operations, read from where it was read last.
 * The items stand as inputs that nobody admits, since they are no turns of the journal's own: no worker takes them up.
 */
export class SessionLog {
  readonly name: string
  readonly #store: Store
  #thread: Promise<number> | undefined
  #head = 0
  #items: readonly AgentInputItem[] = []
  readonly #done = new Map<string, string>()

  constructor(store: Store, name: string) {
    mustBeName(name, 'the name of a session')
    this.#store = store
    this.name = name
  }

  /** The items as they stand in the journal, and the position that they stand at. They are the same array until something changes. */
  async read(): Promise<{ items: readonly AgentInputItem[]; head: number }> {
    const thread = await this.#key()
    for (;;) {
      const entries = await this.#store.read(thread, this.#head)
      if (entries.length === 0) return { items: this.#items, head: this.#head }
      // A list of its own: whoever has the one before keeps it as it was.
      this.#items = entries.reduce((items, entry) => this.#taken(items, entry), [...this.#items])
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
    if (once) mustBeName(once.key, 'the id of an operation')
    const written = await this.#store.write({
      thread: await this.#key(),
      entries: [
        {
          kind: 'input-submit',
          ...(once && { key: once.key }),
          content: { ...plain(operation), ...(once && { digest: once.digest }) },
          ...{ format, when: 'queue' },
        },
      ],
      ...(head === undefined ? {} : { head }),
      ...(once && { input: { ...once } }),
    })
    if (written.ok) return true
    if (once && written.known?.digest === once.digest) return true
    if (once && written.known) throw taken(this.name, once.key)
    if (written.why === 'moved') return false
    throw unwritten(this.name, written)
  }

  #key(): Promise<number> {
    this.#thread ??= this.#store.open(this.name).then(
      ({ thread }) => thread,
      error => {
        this.#thread = undefined
        throw error
      },
    )
    return this.#thread
  }

  #taken(items: AgentInputItem[], entry: Entry): AgentInputItem[] {
    if (entry.kind !== 'input-submit' || entry.format !== format || !isRecord(entry.content)) throw foreign(this.name)
    const { digest, ...operation } = unpackBytes(entry.content) as Operation & { digest?: string }
    if (entry.key !== undefined && digest !== undefined) this.#done.set(entry.key, digest)
    this.#head = entry.seq
    return applied(items, operation as Operation)
  }
}

/** Two values that are stored alike have one digest, whatever the order of their keys. */
export const digestOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(inOrder(plain(value))))
    .digest('base64url')

const format = 'openai-agents'

/** Works on the list itself, so that a long log costs no more than its length. */
function applied(items: AgentInputItem[], operation: Operation): AgentInputItem[] {
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

/** What a reader of the journal gets. */
function plain(value: unknown): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(packBytes(value)))
  } catch (error) {
    throw new AntiphonError('not-json', 'an item of the session cannot be written as JSON', {
      hint: 'items are plain data: no functions, no circles, no BigInt',
      cause: error,
    })
  }
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map(key => [key, inOrder(value[key])]),
  )
}

const taken = (name: string, key: string): AntiphonError =>
  new AntiphonError('key-taken', `another operation of session ${name} was done under the id ${key}`, {
    hint: 'an id stands for one operation: make a new one for another',
  })

const foreign = (name: string): AntiphonError =>
  new AntiphonError('not-a-session', `thread ${name} of the journal is no session of the OpenAI Agents SDK`, {
    hint: 'give the session a name of its own',
  })

const unwritten = (name: string, { why }: Extract<Written, { ok: false }>): AntiphonError =>
  new AntiphonError('not-written', `session ${name} could not be written: ${why}`)
