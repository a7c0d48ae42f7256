import { type CodecId, codecs } from '../../../codecs/index.ts'
import type { DialectId } from '../../../core/dialects/index.ts'
import { parentOf } from '../../../journal/agents/child-name.ts'
import { packBytes } from '../../../journal/bytes.ts'
import type { Entry, TurnStatus } from '../../../journal/entry.ts'
import { assertNotErased } from '../../../journal/erasure/tombstone.ts'
import { lastDialect, Renderer, renderTargetFor } from '../../../journal/render/render.ts'
import { lastTurnStatus, readEntries, readThreads } from '../../../journal/stores/read-all.ts'
import type { Store, ThreadRow } from '../../../journal/stores/store.ts'
import type { CatalogueItem, SourceInfo, ThreadDocument, ThreadWords } from '../protocol.ts'
import { readingOf, withAgents } from './agent-facts.ts'
import { encodeDocument, firstMessages } from './encode-document.ts'
import type { JournalActions } from './journal-actions.ts'
import { unknownItem } from './limits.ts'
import type { LiveWords } from './live-words.ts'
import type { Listing, OpenSource } from './open-source.ts'
import { PollBackoff } from './poll-backoff.ts'
import { stateOfRow } from './thread-facts.ts'
import { ThreadStates } from './thread-states.ts'

export interface JournalChoices {
  readonly for?: DialectId
  /** Reads a thread that an SDK stores in its own kind of entries. */
  readonly readKept?: ReadKept
}

export type ReadKept = (entries: AsyncIterable<Entry>) => Promise<{ format: CodecId; history: readonly unknown[] }>

/** An Antiphon journal that may be in use. It is opened read-only, until the user acts. */
export function openJournalSource(
  source: SourceInfo,
  store: Store,
  actions: JournalActions,
  choices: JournalChoices,
  live?: LiveWords,
): OpenSource {
  const states = new ThreadStates(store)
  const backoff = new PollBackoff()
  const rowOf = async (item: string): Promise<ThreadRow> => {
    try {
      return assertNotErased(await store.get(Number(item)))
    } catch {
      throw unknownItem(source)
    }
  }
  return {
    source,
    list: listing => listThreads(source, store, listing, backoff),
    async document(item, extent) {
      const row = await rowOf(item)
      const document = await documentOf(store, row, states, choices)
      return encodeDocument(extent === 'head' ? headDocument(document) : document)
    },
    async follow(item, onEvent, signal) {
      let last = ''
      let below: readonly string[] = []
      let catchUp: (() => void) | undefined
      const onWords = (words: ThreadWords): void => {
        onEvent(words)
        if (words.recordedAt !== undefined) backoff.wake()
      }
      for (const waiting = backoff.start(signal); !signal.aborted; await waiting.next()) {
        const row = await rowOf(item)
        catchUp ??= live?.follow(row.name, onWords, signal)
        const children = await Promise.all(below.map(name => store.find(name)))
        const fingerprint = [row, ...children].map(fingerprintOf).join()
        if (fingerprint === last) continue
        last = fingerprint
        waiting.reset()
        catchUp?.()
        const tree = await withAgents(store, states, row, await states.read(row, state => readingOf(state, row)))
        below = tree.below
        onEvent(tree.facts)
      }
    },
    async act(item, action) {
      const { name } = await rowOf(item)
      const done = await actions.act(name, action)
      backoff.wake()
      return done
    },
    async close() {
      await Promise.all([actions.close(), live?.close()])
      await store.close()
    },
  }
}

/** Everything of a row that is shown on the page. */
const fingerprintOf = (row: ThreadRow | undefined): string => {
  const { head, epoch, owner, leasedUntil, state, dueAt, openCalls, updatedAt } = row ?? {}
  return JSON.stringify([head, epoch, owner, leasedUntil, state, dueAt, openCalls, updatedAt])
}

/** Lists all threads, and again those that changed, while there are listeners. */
async function listThreads(source: SourceInfo, store: Store, listing: Listing, backoff: PollBackoff): Promise<void> {
  const { onListed, hasListeners, signal } = listing
  const reported = new Map<number, Reported>()
  await reportThreads(source, store, listing, reported)
  onListed()
  for (const waiting = backoff.start(signal, 250); !signal.aborted; await waiting.next()) {
    if (!hasListeners()) continue
    // A database may be unreachable for a while.
    const isChanged = await reportThreads(source, store, listing, reported).catch(() => false)
    if (isChanged) waiting.reset()
  }
}

/** What was reported of a thread, and how its last turn had ended at that head. */
interface Reported {
  readonly head: number
  readonly ended: TurnStatus | undefined
  readonly text: string
}

/** Only of a thread that is idle. One that cannot be read is listed nevertheless. */
const endOf = async (store: Store, row: ThreadRow): Promise<TurnStatus | undefined> =>
  row.state === 'idle' ? lastTurnStatus(store, row).catch(() => undefined) : undefined

/** Returns whether anything was new. */
async function reportThreads(
  source: SourceInfo,
  store: Store,
  { onItem, signal }: Listing,
  reported: Map<number, Reported>,
): Promise<boolean> {
  let isChanged = false
  const now = await store.now()
  const ids = new Map<string, number>()
  for await (const row of readThreads(store, { children: true })) {
    if (signal.aborted) break
    ids.set(row.name, row.thread)
    const known = reported.get(row.thread)
    const ended = known?.head === row.head ? known.ended : await endOf(store, row)
    const parent = ids.get(parentOf(row.name)?.parent ?? '')
    const item = itemOf(source, row, now, ended, parent)
    const text = JSON.stringify(item)
    reported.set(row.thread, { head: row.head, ended, text })
    if (known?.text === text) continue
    onItem(item)
    isChanged = true
  }
  return isChanged
}

function itemOf(
  source: SourceInfo,
  row: ThreadRow,
  now: number,
  ended: TurnStatus | undefined,
  parent: number | undefined,
): CatalogueItem {
  const { thread, name, openCalls, updatedAt } = row
  return {
    source: source.id,
    id: String(thread),
    title: name,
    state: stateOfRow(row, now, ended),
    at: updatedAt,
    ...(openCalls === 0 ? {} : { note: openCalls === 1 ? '1 open call' : `${openCalls} open calls` }),
    ...(parent === undefined ? {} : { parent: String(parent) }),
  }
}

async function documentOf(
  store: Store,
  row: ThreadRow,
  states: ThreadStates,
  { for: chosen, readKept }: JournalChoices,
): Promise<ThreadDocument> {
  const { name } = row
  const drawn = row.state === 'kept' && readKept ? await readKept(readEntries(store, row)) : undefined
  const { reading, ...document } = await states.read(row, state => {
    const target = renderTargetFor(chosen ?? lastDialect(state))
    const shown = drawn
      ? { format: drawn.format, for: codecs[drawn.format].home as DialectId, history: drawn.history }
      : { format: target.format, for: target.dialect, history: new Renderer(target, state).render() }
    const { history } = shown
    return { ...shown, history: packBytes(history) as unknown[], reading: readingOf(state, row) }
  })
  const { facts } = await withAgents(store, states, row, reading)
  return { kind: 'thread', name, ...document, thread: facts }
}

function headDocument(document: ThreadDocument): ThreadDocument {
  const history = firstMessages(document.history)
  const total = document.history.length
  return history.length === total ? document : { ...document, history, total }
}
