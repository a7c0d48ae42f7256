import { emptyDrawing, withRepairTexts } from '../../../doctor/drawing.ts'
import { type GraphState, GraphStates } from '../../../integrations/langgraph/graph-state.ts'
import type { GraphReader, GraphThread } from '../../../integrations/langgraph/graph-store.ts'
import { examineGraph, graphMessages } from '../../graphs/examine-graph.ts'
import type { CatalogueItem, SourceInfo, StoredDocument } from '../protocol.ts'
import { encodeDocument } from './encode-document.ts'
import { unknownItem } from './limits.ts'
import type { Listing, OpenSource } from './open-source.ts'
import { pause } from './pause.ts'
import { PollBackoff } from './poll-backoff.ts'
import { headDocument } from './store-source.ts'

/**
 * A journal together with the LangGraph checkpoints in the same place. Their ids begin where no thread of the journal is
 * numbered. Without a journal there are only the checkpoints.
 */
export function withGraphs(source: SourceInfo, graphs: GraphReader, journal?: OpenSource): OpenSource {
  const known: GraphThread[] = []
  const graphOf = (item: string): GraphThread | undefined => known[Number(item) - firstId]
  const isGraph = (item: string): boolean => Number(item) >= firstId
  return {
    ...journal,
    source,
    async list(listing) {
      let left = journal ? 2 : 1
      const onListed = (): void => {
        if (--left === 0) listing.onListed()
      }
      const both = { ...listing, onListed }
      await Promise.all([journal?.list(both), listGraphs(source, graphs, known, both)])
    },
    async document(item, extent) {
      if (journal && !isGraph(item)) return journal.document(item, extent)
      const thread = graphOf(item)
      const document = thread && (await documentOf(source, graphs, thread))
      if (!document) throw unknownItem(source)
      return encodeDocument(extent === 'head' ? headDocument(document) : document)
    },
    async close() {
      await graphs.close()
      await journal?.close()
    },
  }
}

/** Far above the number of threads that a journal can have, and still exact. */
const firstId = 2 ** 52

/** Lists all threads, and again those that changed, while there are listeners. */
async function listGraphs(
  source: SourceInfo,
  graphs: GraphReader,
  known: GraphThread[],
  { onItem, onListed, hasListeners, signal }: Listing,
): Promise<void> {
  const reported = new Map<string, { readonly id: number; text: string }>()
  const report = async (): Promise<boolean> => {
    let isChanged = false
    const states = new GraphStates(graphs)
    for (const thread of await graphs.threads()) {
      if (signal.aborted) break
      const key = keyOf(thread.thread, thread.namespace)
      const before = reported.get(key)
      const text = JSON.stringify(thread)
      if (before?.text === text) continue
      const id = before?.id ?? firstId + known.push(thread) - 1
      reported.set(key, { id, text })
      const parent = thread.namespace === '' ? undefined : reported.get(keyOf(thread.thread, ''))?.id
      onItem(await itemOf(source, states, thread, id, parent))
      isChanged = true
      await pause()
    }
    return isChanged
  }
  await report()
  onListed()
  for (const waiting = new PollBackoff().start(signal, 250); !signal.aborted; await waiting.next()) {
    if (!hasListeners()) continue
    // A database may be unreachable for a while.
    if (await report().catch(() => false)) waiting.reset()
  }
}

const keyOf = (thread: string, namespace: string): string => JSON.stringify([thread, namespace])

async function itemOf(
  source: SourceInfo,
  states: GraphStates,
  thread: GraphThread,
  id: number,
  parent: number | undefined,
): Promise<CatalogueItem> {
  const item = {
    source: source.id,
    id: String(id),
    title: titleOf(thread),
    system,
    ...(parent === undefined ? {} : { parent: String(parent) }),
  }
  try {
    const state = await states.read(thread)
    if (!state) return { ...item, state: 'erased' }
    const examination = examineGraph(state, await graphMessages(state))
    const { state: verdict, counts, notes } = examination
    return {
      ...item,
      state: verdict === 'broken' ? verdict : state.status,
      counts,
      ...(state.updatedAt === undefined ? {} : { at: state.updatedAt }),
      ...(notes[0] === undefined ? {} : { note: notes[0] }),
    }
  } catch (error) {
    return { ...item, state: 'unreadable', note: error instanceof Error ? error.message : String(error) }
  }
}

async function documentOf(
  source: SourceInfo,
  graphs: GraphReader,
  thread: GraphThread,
): Promise<StoredDocument | undefined> {
  // The thread may have been continued since it was listed.
  const present = (await graphs.threads(thread.thread)).find(({ namespace }) => namespace === thread.namespace)
  const state = present && (await new GraphStates(graphs).read(present))
  if (!state) return undefined
  const examination = examineGraph(state, await graphMessages(state))
  const { draw, notes } = examination
  return {
    ...{ kind: 'stored', name: titleOf(thread), system, path: source.name, state: examination.state },
    notes: [statusNotes[state.status], ...notes],
    ...(state.updatedAt === undefined ? {} : { at: state.updatedAt }),
    ...withRepairTexts(examination, draw?.() ?? emptyDrawing),
  }
}

const titleOf = ({ thread, namespace }: GraphThread): string => (namespace === '' ? thread : `${thread} (${namespace})`)

const system = 'LangGraph checkpoints'

const statusNotes: Readonly<Record<GraphState['status'], string>> = {
  running: 'running: a run has the lease',
  parked: 'parked: an interrupt waits for its answer',
  failed: 'failed: a task failed',
  ready: 'ready: a step is not done, and no run works on it',
  idle: 'idle: there is nothing to do',
}
