import { type Command, Option } from 'commander'
import { GraphStates } from '../../../integrations/langgraph/graph-state.ts'
import type { GraphReader } from '../../../integrations/langgraph/graph-store.ts'
import { agentTree } from '../../../journal/agents/agent-rows.ts'
import { depthOf, parentOf } from '../../../journal/agents/child-name.ts'
import { readThreads, type ThreadStatus, type ThreadsOptions, threadStatus } from '../../../journal/stores/read-all.ts'
import type { Store, ThreadRow } from '../../../journal/stores/store.ts'
import { plural } from '../counts.ts'
import { positiveInteger } from '../flags.ts'
import { graphJson, graphLine, graphsHeader, newestFirst, withJournalAndGraphs } from '../graph-threads.ts'
import { type JournalFlags, schemaOption, sealKeyOption, threadNamed, unknownThread } from '../journal-file.ts'
import { plain } from '../plain.ts'

export function addThreads(program: Command): void {
  program
    .command('threads')
    .summary('list the threads of a journal')
    .description(
      "List the threads of a journal: status, number of entries, open calls, and time of the last change. The status is parked if the thread waits for an approval, an external result or an agent, failed if it is idle and its last turn failed, and kept if it stores the data of an adapter. Each thread is followed by the threads of its agents. With --status, threads of agents are listed like any other thread. If the database also has threads of Antiphon's LangGraph checkpointer, they are listed last, with their subgraphs.",
    )
    .argument('<journal>', 'an SQLite file, or postgres://...')
    .addOption(schemaOption())
    .addOption(sealKeyOption())
    .addOption(new Option('--status <status>', 'only threads with this status').choices(statuses))
    .addOption(new Option('--label <label>', 'only threads with this label'))
    .addOption(new Option('--newest', 'list the newest threads first'))
    .addOption(new Option('--after <thread>', 'begin after this one: the last thread of the previous page'))
    .addOption(new Option('--limit <count>', 'print at most this many').argParser(positiveInteger('--limit')))
    .addOption(new Option('--json', 'print one JSON object per thread'))
    .addHelpText(
      'after',
      `
Examples:
  antiphon threads chat.db
  antiphon threads chat.db --status failed
  antiphon threads chat.db --label support --newest --limit 20
  antiphon threads chat.db --label support --newest --limit 20 --after user-42
  antiphon threads --json postgres://localhost/agents | jq 'select(.status == "parked") | .name'

Exit codes: 0; 2 unreadable, or unknown thread.`,
    )
    .action((place: string, flags: ThreadsFlags) =>
      withJournalAndGraphs(place, flags, async ({ store, graphs }) => {
        const { after } = flags
        const isAfterGraph = after !== undefined && !(await store?.find(after)) && (await hasGraph(graphs, after))
        if (after !== undefined && !store && !isAfterGraph) throw unknownThread(after, [])
        const printed = store && !isAfterGraph ? await printThreads(store, flags) : 0
        if (graphs) await printGraphs(graphs, { ...flags, after: isAfterGraph ? after : undefined }, printed)
      }),
    )
}

/** The thread after which the threads of its agents are printed. */
function rootOf(name: string): string {
  const place = parentOf(name)
  return place ? rootOf(place.parent) : name
}

/** Returns how many threads were printed. */
async function printThreads(
  store: Store,
  { json, status, label, newest, after, limit }: ThreadsFlags,
): Promise<number> {
  let [threads, agents] = [0, 0]
  const wanted: ThreadsOptions = {
    order: newest ? 'newest' : 'oldest',
    ...(after !== undefined && { after: (await threadNamed(store, status ? after : rootOf(after))).thread }),
    ...(limit !== undefined && { limit }),
    ...(status && { status, children: true }),
    ...(label !== undefined && { label }),
  }
  const printRow = async (row: ThreadRow): Promise<void> => {
    const status = wanted.status ?? (await threadStatus(store, row))
    const place = parentOf(row.name)
    if (threads + agents === 0 && !json) print(header)
    if (place) agents++
    else threads++
    const indent = wanted.status ? '' : '  '.repeat(depthOf(row.name))
    const caller = place && { parent: place.parent, call: place.callId }
    print(json ? JSON.stringify({ ...row, status, ...caller }) : lineOf(row, status, indent))
  }
  for await (const row of readThreads(store, wanted)) {
    await printRow(row)
    if (!wanted.status) for await (const child of agentTree(store, row)) await printRow(child)
  }
  if (!json) print(`${plural(threads, 'thread')}${agents > 0 ? `, ${plural(agents, 'agent')}` : ''}`)
  return threads
}

const hasGraph = async (graphs: GraphReader | undefined, name: string): Promise<boolean> =>
  graphs !== undefined && (await graphs.threads(name)).length > 0

/** Threads of LangGraph, each with its subgraphs. They have no labels. */
async function printGraphs(graphs: GraphReader, flags: GraphsFlags, printed: number): Promise<void> {
  const { json, status, label, newest, after, limit = Infinity } = flags
  if (label !== undefined) return
  const names = new Set<string>()
  const states = new GraphStates(graphs)
  const found = await graphs.threads()
  const ordered = newest ? newestFirst(found) : found
  const start = after === undefined ? 0 : ordered.findLastIndex(({ thread }) => thread === after) + 1
  for (const thread of ordered.slice(start)) {
    const state = await states.read(thread)
    if (!state || (status && state.status !== status)) continue
    if (!names.has(thread.thread) && printed + names.size >= limit) break
    if (names.size === 0 && !json) print(graphsHeader)
    names.add(thread.thread)
    print(json ? graphJson(thread, state) : graphLine(thread, state))
  }
  if (!json && names.size > 0) print(plural(names.size, 'LangGraph thread'))
}

const header = `${'status'.padEnd(8)} ${'entries'.padStart(7)} ${'open'.padStart(4)}  ${'last change'.padEnd(20)}  name`

interface ThreadsFlags extends JournalFlags {
  readonly status?: Exclude<ThreadStatus, 'erased'>
  readonly label?: string
  readonly newest?: true
  readonly after?: string
  readonly limit?: number
  readonly json?: true
}

type GraphsFlags = Omit<ThreadsFlags, 'after'> & { readonly after: string | undefined }

const statuses: readonly Exclude<ThreadStatus, 'erased'>[] = ['idle', 'running', 'parked', 'failed', 'kept']

function lineOf(row: ThreadRow, status: ThreadStatus, indent: string): string {
  const { head, openCalls, updatedAt, name, metadata } = row
  const time = `${new Date(updatedAt).toISOString().slice(0, 19)}Z`
  const { title, labels = [] } = metadata ?? {}
  const words = [name, ...(title === undefined ? [] : [`"${title}"`]), ...labels.map(label => `#${label}`)].map(plain)
  return `${status.padEnd(8)} ${String(head).padStart(7)} ${String(openCalls).padStart(4)}  ${time}  ${indent}${words.join('  ')}`
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
