import { type Command, Option } from 'commander'
import { GraphStates } from '../../../integrations/langgraph/graph-state.ts'
import { agentsBelow } from '../../../journal/agents/agent-rows.ts'
import { depthOf, parentOf } from '../../../journal/agents/child-name.ts'
import { eraseThread } from '../../../journal/erasure/erase-thread.ts'
import { assertNotErased, isFullyErased } from '../../../journal/erasure/tombstone.ts'
import { openJournal } from '../../../journal/open-journal.ts'
import type { Store, ThreadRow } from '../../../journal/stores/store.ts'
import { openWritableGraphs } from '../../graphs/open-graphs.ts'
import { plural } from '../counts.ts'
import { type FoundThread, findThread, graphOptions, withJournalAndGraphs } from '../graph-threads.ts'
import { type JournalFlags, schemaOption, withJournal, withWritableJournal } from '../journal-file.ts'
import { plain } from '../plain.ts'

export function addErase(program: Command): void {
  const [graphOption, noGraphOption] = graphOptions()
  program
    .command('erase')
    .summary('erase threads of a journal')
    .description(
      "Erase threads of a journal for good: entries, inputs, calls, metadata and name, and the threads of their agents. Running turns are stopped. The name cannot be used again. For a thread of Antiphon's LangGraph checkpointer, erase its checkpoints, writes and tool results in all subgraphs, as the checkpointer's deleteThread does; that name can be used again.",
    )
    .argument('<journal>', 'an SQLite file, or postgres://...')
    .argument('<thread...>', 'thread names')
    .addOption(new Option('--dry-run', 'print what would be erased, and erase nothing'))
    .addOption(schemaOption())
    .addOption(graphOption)
    .addOption(noGraphOption)
    .addOption(new Option('--json', 'print one JSON object per thread'))
    .addHelpText(
      'after',
      `
Examples:
  antiphon erase --dry-run chat.db user-42
  antiphon erase chat.db user-42
  antiphon erase chat.db thread-1 --graph

Exit codes: 0; 2 unreadable, unknown thread, or already erased.`,
    )
    .action(async (place: string, names: string[], flags: EraseThreadsFlags) => {
      const rows: ThreadRow[] = []
      const graphs: GraphToErase[] = []
      // All names are looked up first, so that a wrong one erases nothing.
      await withJournalAndGraphs(place, flags, async opened => {
        for (const name of names) {
          const found = await findThread(opened, name, flags.graph)
          if (found.kind === 'graph') graphs.push(await graphToErase(found, name))
          else rows.push(isFullyErased(found.row) ? assertNotErased(found.row) : found.row)
        }
      })
      if (rows.length > 0) await eraseRows(place, rows, flags)
      if (graphs.length > 0) await eraseGraphs(place, graphs, flags)
    })
}

async function eraseRows(place: string, rows: readonly ThreadRow[], flags: EraseFlags): Promise<void> {
  await (flags.dryRun ? withJournal : withWritableJournal)(place, flags, async store => {
    for (const row of rows) {
      const agents = await agentsBelow(store, row)
      if (!flags.dryRun) await eraseRow(store, row)
      printErased(row, agents, flags)
    }
  })
}

async function eraseRow(store: Store, row: ThreadRow): Promise<void> {
  if (!parentOf(row.name)) await eraseThread(store, row.thread)
  // The thread that called an agent must not wait for it for ever.
  else await (await openJournal(store, { telemetry: false })).thread(row.name).erase()
}

interface GraphToErase {
  readonly name: string
  readonly checkpoints: number
  readonly updatedAt: number | undefined
}

async function graphToErase({ graphs, threads }: FoundThread & { kind: 'graph' }, name: string): Promise<GraphToErase> {
  const checkpoints = threads.reduce((sum, thread) => sum + thread.checkpoints, 0)
  const [first] = threads
  // A thread that cannot be read can still be erased.
  const state = first && (await new GraphStates(graphs).read(first).catch(() => undefined))
  return { name, checkpoints, updatedAt: state?.updatedAt }
}

async function eraseGraphs(place: string, threads: readonly GraphToErase[], flags: EraseFlags): Promise<void> {
  const graphs = flags.dryRun ? undefined : await openWritableGraphs(place, flags)
  try {
    for (const thread of threads) {
      await graphs?.remove(thread.name)
      printErasedGraph(thread, flags)
    }
  } finally {
    await graphs?.close()
  }
}

function printErasedGraph({ name, checkpoints, updatedAt }: GraphToErase, { dryRun, json }: EraseFlags): void {
  const time = updatedAt === undefined ? '' : `, last change ${timeOf(updatedAt)}`
  const line = `${dryRun ? 'would erase' : 'erased'} ${plain(name)} (LangGraph, ${plural(checkpoints, 'checkpoint')}${time})`
  const text = json ? JSON.stringify({ kind: 'langgraph', name, checkpoints, updatedAt, erased: !dryRun }) : line
  process.stdout.write(`${text}\n`)
}

const timeOf = (time: number): string => `${new Date(time).toISOString().slice(0, 19)}Z`

interface EraseThreadsFlags extends EraseFlags {
  readonly graph?: boolean
}

export interface EraseFlags extends JournalFlags {
  readonly dryRun?: true
  readonly json?: true
}

/** Prints a thread and, below it, the threads of its agents. */
export function printErased(
  row: ThreadRow,
  agents: readonly ThreadRow[],
  { dryRun, json }: Pick<EraseFlags, 'dryRun' | 'json'>,
): void {
  for (const { name, head, updatedAt } of [row, ...agents]) {
    const indent = '  '.repeat(depthOf(name) - depthOf(row.name))
    const what = `${plain(name)} (${head === 1 ? '1 entry' : `${head} entries`}, last change ${timeOf(updatedAt)})`
    const line = `${indent}${dryRun ? 'would erase' : 'erased'} ${what}`
    process.stdout.write(`${json ? JSON.stringify({ name, entries: head, updatedAt, erased: !dryRun }) : line}\n`)
  }
}
