import { Option } from 'commander'
import { codecs } from '../../codecs/index.ts'
import { AntiphonError } from '../../core/errors.ts'
import { type GraphState, GraphStates } from '../../integrations/langgraph/graph-state.ts'
import type { GraphReader, GraphThread } from '../../integrations/langgraph/graph-store.ts'
import { isFullyErased } from '../../journal/erasure/tombstone.ts'
import type { Store, ThreadRow } from '../../journal/stores/store.ts'
import { examineGraph, graphMessages } from '../graphs/examine-graph.ts'
import { openGraphs } from '../graphs/open-graphs.ts'
import { plural } from './counts.ts'
import { draw } from './draw.ts'
import { type JournalFlags, threadNames, unknownThread, withJournal } from './journal-file.ts'
import { plain } from './plain.ts'

/** What a place has: a journal, LangGraph checkpoints, or both. */
export interface JournalAndGraphs {
  readonly store?: Store
  readonly graphs?: GraphReader
}

/** Opens a journal and the LangGraph checkpoints next to it for reading. A PostgreSQL database may have checkpoints alone. */
export async function withJournalAndGraphs(
  place: string,
  flags: JournalFlags,
  read: (opened: JournalAndGraphs) => Promise<void>,
): Promise<void> {
  const withGraphs = async (store?: Store): Promise<boolean> => {
    const graphs = await openGraphs(place, flags)
    if (!store && !graphs) return false
    try {
      await read({ ...(store && { store }), ...(graphs && { graphs }) })
    } finally {
      await graphs?.close()
    }
    return true
  }
  let isOpen = false
  try {
    await withJournal(place, flags, async store => {
      isOpen = true
      await withGraphs(store)
    })
  } catch (error) {
    const hasNoJournal = !isOpen && AntiphonError.is(error) && error.code === 'journal-damaged'
    if (!hasNoJournal || !/^postgres(ql)?:/i.test(place) || !(await withGraphs())) throw error
  }
}

/** Which thread is meant, if the journal and LangGraph checkpoints have the same name. */
export const graphOptions = (): [graph: Option, noGraph: Option] => [
  new Option('--graph', 'use the thread of the LangGraph checkpoints, if the journal also has one with this name'),
  new Option('--no-graph', 'use the thread of the journal, if the LangGraph checkpoints also have one with this name'),
]

/** A thread of a journal, or a thread of LangGraph checkpoints with its subgraphs. */
export type FoundThread =
  | { readonly kind: 'journal'; readonly store: Store; readonly row: ThreadRow }
  | { readonly kind: 'graph'; readonly graphs: GraphReader; readonly threads: readonly GraphThread[] }

/** The thread with a name. If both have one, `graph` says which is meant. */
export async function findThread(
  { store, graphs }: JournalAndGraphs,
  name: string,
  graph: boolean | undefined,
): Promise<FoundThread> {
  const threads = graph === false ? [] : ((await graphs?.threads(name)) ?? [])
  const row = graph === true ? undefined : await store?.find(name)
  if (graphs && threads.length > 0) {
    if (!row || isFullyErased(row)) return { kind: 'graph', graphs, threads }
    throw new AntiphonError(
      'wrong-option',
      `"${name}" is a thread of the journal and a thread of LangGraph checkpoints`,
      { hint: 'use --graph for the LangGraph checkpoints, --no-graph for the journal' },
    )
  }
  if (store && row) return { kind: 'journal', store, row }
  const journalNames = store && graph !== true ? await threadNames(store) : []
  const graphNames = graph === false ? [] : ((await graphs?.threads()) ?? []).map(({ thread }) => thread)
  const where = graph === undefined ? '' : graph ? ' in the LangGraph checkpoints' : ' in the journal'
  throw unknownThread(name, [...new Set([...journalNames, ...graphNames])], where)
}

/** A thread stays before its subgraphs. */
export function newestFirst(threads: readonly GraphThread[]): GraphThread[] {
  const groups = new Map<string, GraphThread[]>()
  for (const one of threads) {
    const group = groups.get(one.thread)
    if (group) group.push(one)
    else groups.set(one.thread, [one])
  }
  return [...groups.values()].reverse().flat()
}

export const graphsHeader = `LangGraph checkpoints:\n${'status'.padEnd(8)} ${'checkpoints'.padStart(12)}  ${'last change'.padEnd(20)}  name`

export function graphLine({ thread, namespace, checkpoints }: GraphThread, { status, updatedAt }: GraphState): string {
  const time = updatedAt === undefined ? '-' : `${new Date(updatedAt).toISOString().slice(0, 19)}Z`
  const name = namespace === '' ? plain(thread) : `  ${plain(thread)}  ${plain(namespace)}`
  return `${status.padEnd(8)} ${String(checkpoints).padStart(12)}  ${time.padEnd(20)}  ${name}`
}

export const graphJson = ({ thread, namespace, checkpoints }: GraphThread, { status, updatedAt }: GraphState): string =>
  JSON.stringify({ kind: 'langgraph', name: thread, namespace, status, checkpoints, updatedAt })

/** The lines that show the newest checkpoint of a thread. */
export async function* showGraph(
  graphs: GraphReader,
  thread: GraphThread,
  { json }: { readonly json?: true },
): AsyncGenerator<string> {
  const state = await new GraphStates(graphs).read(thread)
  if (!state) return
  const messages = await graphMessages(state)
  if (json) {
    yield JSON.stringify(messages, null, 2)
    return
  }
  for (const { text } of draw(codecs.langchain.decode(messages))) yield plain(text)
  const { repairs, remaining, notes } = examineGraph(state, messages)
  const found = [...repairs, ...remaining]
  for (const { rule, at, message } of found.slice(0, printedMax))
    yield `${'defect'.padEnd(10)} ${plain(`${at}: ${message} (${rule})`)}`
  if (found.length > printedMax) yield `... and ${plural(found.length - printedMax, 'more defect')}`
  const counts = `${plural(messages.length, 'message')}, ${plural(thread.checkpoints, 'checkpoint')}`
  const more = [...(found.length > 0 ? [plural(found.length, 'defect')] : []), ...notes]
  yield plain([`${state.status}: LangGraph checkpoints`, counts, ...more].join(', '))
}

const printedMax = 50
