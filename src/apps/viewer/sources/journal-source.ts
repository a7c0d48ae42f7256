import { type CodecId, codecs } from '../../../codecs/index.ts'
import type { DialectId } from '../../../core/dialects/index.ts'
import { packBytes } from '../../../journal/bytes.ts'
import type { Entry } from '../../../journal/entry.ts'
import { lastDialect, Renderer, renderTargetFor } from '../../../journal/render/render.ts'
import { readEntries, readThreads } from '../../../journal/stores/read-all.ts'
import type { Store, ThreadRow } from '../../../journal/stores/store.ts'
import type { Item, Source, ThreadDocument } from '../protocol.ts'
import { encodeDocument, headOf } from './encode-document.ts'
import type { Hand } from './hand.ts'
import { noItem } from './limits.ts'
import type { Listing, OpenSource } from './open-source.ts'
import { Patience } from './patience.ts'
import { factsOf, stateOfRow } from './thread-facts.ts'
import { ThreadStates } from './thread-states.ts'

export interface JournalChoices {
  readonly for?: DialectId
  /** Reads a thread that an SDK keeps in entries of its own. */
  readonly readKept?: ReadKept
}

export type ReadKept = (entries: AsyncIterable<Entry>) => Promise<{ format: CodecId; history: readonly unknown[] }>

/** A journal of ours, while whoever it belongs to goes on working with it. It is only looked at, until somebody acts. */
export function openJournalSource(source: Source, store: Store, hand: Hand, choices: JournalChoices): OpenSource {
  const states = new ThreadStates(store)
  const patience = new Patience()
  const rowOf = async (item: string): Promise<ThreadRow> => {
    try {
      return await store.get(Number(item))
    } catch {
      throw noItem(source)
    }
  }
  return {
    source,
    list: listing => listThreads(source, store, listing, patience),
    async document(item, extent) {
      const row = await rowOf(item)
      const document = await documentOf(store, row, states, choices)
      return encodeDocument(extent === 'head' ? headDocument(document) : document)
    },
    async follow(item, tell, signal) {
      let last = ''
      for (const waiting = patience.start(signal); !signal.aborted; await waiting.next()) {
        const row = await rowOf(item)
        const mark = markOf(row)
        if (mark === last) continue
        last = mark
        waiting.reset()
        tell(await states.read(row, state => factsOf(state, row)))
      }
    },
    async act(item, deed) {
      const { name } = await rowOf(item)
      const done = await hand.act(name, deed)
      patience.wake()
      return done
    },
    async close() {
      await hand.close()
      await store.close()
    },
  }
}

/** Whatever shows on the page. */
const markOf = ({ head, epoch, owner, leasedUntil, state, dueAt, openCalls, updatedAt }: ThreadRow): string =>
  JSON.stringify([head, epoch, owner, leasedUntil, state, dueAt, openCalls, updatedAt])

/** Tells all threads, and again those that changed, as long as somebody hears it. */
async function listThreads(source: Source, store: Store, listing: Listing, patience: Patience): Promise<void> {
  const { listed, isHeard, signal } = listing
  const told = new Map<number, string>()
  await tellThreads(source, store, listing, told)
  listed()
  for (const waiting = patience.start(signal, 250); !signal.aborted; await waiting.next()) {
    if (!isHeard()) continue
    // A database that is gone for a while may come back.
    const isChanged = await tellThreads(source, store, listing, told).catch(() => false)
    if (isChanged) waiting.reset()
  }
}

/** Whether anything was new. */
async function tellThreads(
  source: Source,
  store: Store,
  { tell, signal }: Listing,
  told: Map<number, string>,
): Promise<boolean> {
  let isChanged = false
  const now = await store.now()
  for await (const row of readThreads(store)) {
    if (signal.aborted) break
    const item = itemOf(source, row, now)
    const mark = JSON.stringify(item)
    if (told.get(row.thread) === mark) continue
    told.set(row.thread, mark)
    tell(item)
    isChanged = true
  }
  return isChanged
}

function itemOf(source: Source, row: ThreadRow, now: number): Item {
  const { thread, name, openCalls } = row
  return {
    source: source.id,
    id: String(thread),
    title: name,
    state: stateOfRow(row, now),
    ...(openCalls === 0 ? {} : { note: openCalls === 1 ? '1 open call' : `${openCalls} open calls` }),
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
  return states.read(row, state => {
    const reader = renderTargetFor(chosen ?? lastDialect(state))
    const shown = drawn
      ? { format: drawn.format, for: codecs[drawn.format].home as DialectId, history: drawn.history }
      : { format: reader.format, for: reader.dialect, history: new Renderer(reader, state).render() }
    const { history } = shown
    return { kind: 'thread', name, ...shown, history: packBytes(history) as unknown[], thread: factsOf(state, row) }
  })
}

function headDocument(document: ThreadDocument): ThreadDocument {
  const history = headOf(document.history)
  const total = document.history.length
  return history.length === total ? document : { ...document, history, total }
}
