import { type Command, Option } from 'commander'
import { type CodecId, codecs } from '../../../codecs/index.ts'
import type { DialectId } from '../../../core/dialects/index.ts'
import { AntiphonError } from '../../../core/errors.ts'
import { childName, parentOf } from '../../../journal/agents/child-name.ts'
import { branchesOf, isOfBranch } from '../../../journal/branches/thread-branch.ts'
import { currentBranch, type JournalCall, type ThreadState, viewOf } from '../../../journal/fold.ts'
import { lastDialect, Renderer, renderTargetFor } from '../../../journal/render/render.ts'
import { readEntries, readState } from '../../../journal/stores/read-all.ts'
import type { Store, ThreadRow } from '../../../journal/stores/store.ts'
import { plural } from '../counts.ts'
import { draw } from '../draw.ts'
import { forOption, namesHelp, printedFormatOption } from '../flags.ts'
import { type FoundThread, findThread, graphOptions, showGraph, withJournalAndGraphs } from '../graph-threads.ts'
import { branchNamed, type JournalFlags, schemaOption, sealKeyOption } from '../journal-file.ts'
import { plain } from '../plain.ts'
import { drawSession, sessionItems } from '../session.ts'

export function addShow(program: Command): void {
  const [graphOption, noGraphOption] = graphOptions()
  program
    .command('show')
    .summary('show one thread of a journal')
    .description(
      "Show a thread of a journal as it would be sent to a provider, with its open calls and its agents. For a thread of Antiphon's LangGraph checkpointer, show the messages of the newest checkpoint and their defects.",
    )
    .argument('<journal>', 'an SQLite file, or postgres://...')
    .argument('<thread>', 'the name of the thread')
    .addOption(forOption('the provider that answered last'))
    .addOption(printedFormatOption())
    .addOption(schemaOption())
    .addOption(sealKeyOption())
    .addOption(new Option('--branch <number>', 'the branch to show (default: the current one)'))
    .addOption(new Option('--entries', 'show every journal entry instead'))
    .addOption(graphOption)
    .addOption(noGraphOption)
    .addOption(new Option('--namespace <name>', 'the subgraph of a thread of LangGraph checkpoints'))
    .addOption(new Option('--json', 'print the messages as a JSON list, entries as one JSON object per line'))
    .addHelpText(
      'after',
      `
${namesHelp}
Examples:
  antiphon show chat.db user-42
  antiphon show chat.db user-42 --for anthropic --json > messages.json
  antiphon show chat.db user-42 --branch 1
  antiphon show chat.db user-42 --entries
  antiphon show chat.db thread-1 --graph --json | antiphon check

Exit codes: 0; 2 unreadable, or unknown thread or branch.`,
    )
    .action((place: string, name: string, flags: ShowFlags) =>
      withJournalAndGraphs(place, flags, async opened => {
        const found = await findThread(opened, name, flags.namespace === undefined ? flags.graph : true)
        if (found.kind === 'graph') return showGraphThread(found, name, flags)
        const { store, row } = found
        if (flags.entries) await showEntries(store, row, flags)
        else if (row.state === 'kept') showSession(await sessionItems(store, row), row, flags)
        else await showMessages(store, row, flags)
      }),
    )
}

/** Messages of LangChain are shown as they are stored. */
async function showGraphThread(
  { graphs, threads }: FoundThread & { kind: 'graph' },
  name: string,
  flags: ShowFlags,
): Promise<void> {
  const { namespace = '' } = flags
  for (const option of journalOnly)
    if (flags[option] !== undefined)
      throw new AntiphonError(
        'wrong-option',
        `--${option} cannot be used for "${name}", a thread of LangGraph checkpoints`,
        {
          hint: `omit --${option}`,
        },
      )
  const thread = threads.find(known => known.namespace === namespace)
  if (!thread)
    throw new AntiphonError('unknown-thread', `thread "${name}" has no namespace "${namespace}"`, {
      hint: 'antiphon threads lists them; --namespace names one',
    })
  for await (const line of showGraph(graphs, thread, flags)) print(line)
}

const journalOnly = ['for', 'format', 'branch', 'entries'] as const

interface ShowFlags extends JournalFlags {
  readonly graph?: boolean
  readonly namespace?: string
  readonly for?: DialectId
  readonly format?: CodecId
  readonly branch?: string
  readonly entries?: true
  readonly json?: true
}

async function showEntries(store: Store, row: ThreadRow, { json, branch }: ShowFlags): Promise<void> {
  const state = branch === undefined || row.state === 'kept' ? undefined : await readState(store, row)
  const only = state && branchNamed(state, branch)
  for await (const entry of readEntries(store, row)) {
    if (state && only && !isOfBranch(state, entry, only)) continue
    if (json) print(JSON.stringify(entry))
    else {
      const { seq, at, epoch, kind, ...data } = entry
      const time = new Date(at).toISOString()
      print(`${String(seq).padStart(6)}  ${time}  ${String(epoch).padStart(3)}  ${kind.padEnd(15)}  ${shortened(data)}`)
    }
  }
}

async function showMessages(store: Store, row: ThreadRow, flags: ShowFlags): Promise<void> {
  const state = await readState(store, row)
  const current = currentBranch(state)
  const branch = branchNamed(state, flags.branch) ?? current
  const view = viewOf(state, branch)
  const target = renderTargetFor(flags.for ?? lastDialect(view), flags.format)
  const messages = new Renderer(target, view).render()
  if (flags.json) {
    print(JSON.stringify(messages, null, 2))
    return
  }
  for (const { text } of draw(codecs[target.format].decode(messages))) print(plain(text))
  const branches = branchesOf(state)
  if (branches.length > 1)
    for (const { branch: number, from, at } of branches) {
      const marks = [...(number === current ? ['current'] : []), ...(number === branch ? ['shown'] : [])].join(', ')
      const origin = from === undefined ? 'the main branch' : `left branch ${from} after entry ${at}`
      print(`branch     ${number}: ${origin}${marks && ` (${marks})`}`)
    }
  const caller = parentOf(row.name)
  if (caller) print(plain(`called by  ${caller.parent}, call ${caller.callId}`))
  for await (const line of callLines(store, row, state, view)) print(plain(line))
  for (const { seq, content } of state.waiting) print(plain(`waiting    input ${seq}: ${shortened(content)}`))
  const last = state.ended ? `, the last one ${state.ended.status}` : ''
  print(`${row.state}: ${plural(state.turns, 'turn')}${last}, ${row.head === 1 ? '1 entry' : `${row.head} entries`}`)
}

/** The open calls of a thread. Calls of agents are included in any state, followed by the lines of their threads. */
async function* callLines(
  store: Store,
  row: ThreadRow,
  state: ThreadState,
  { items }: Pick<ThreadState, 'items'>,
  indent = '',
): AsyncGenerator<string> {
  const line = (word: string, { name, id }: JournalCall, words: string): string =>
    `${`${indent}${word}`.padEnd(10)} ${name} ${id}: ${words}`
  const shown = items.flatMap(item => (item.kind === 'step' ? item.step.calls : []))
  for (const call of new Map([...shown, ...state.open.values()].map(call => [call.id, call])).values()) {
    const child = call.parked?.why === 'agent' ? await store.find(childName(row.name, call.id)) : undefined
    if (!child || child.state === 'erased') {
      if (state.open.has(call.id)) yield line('open', call, waitingFor(call))
      continue
    }
    const below = await readState(store, child)
    const { ended } = below
    const status = child.state === 'idle' && ended && below.waiting.length === 0 ? ended.status : child.state
    yield line('agent', call, `${status}, thread ${child.name}`)
    yield* callLines(store, child, below, below, `${indent}  `)
  }
}

function showSession(items: readonly unknown[], row: ThreadRow, { json }: ShowFlags): void {
  for (const line of json ? [JSON.stringify(items, null, 2)] : drawSession(items, row)) print(line)
}

const waits = {
  approval: 'waits for an approval',
  outside: 'waits for an external result',
  agent: 'an agent works on it',
}

function waitingFor({ parked, decision, startedAt }: JournalCall): string {
  if (decision?.approved) return 'approved, not yet run'
  if (parked) return waits[parked.why]
  return startedAt === undefined ? 'not started' : 'started'
}

function shortened(value: unknown): string {
  const text = plain(typeof value === 'string' ? value : JSON.stringify(value))
  return text.length > widthMax ? `${text.slice(0, widthMax)}…` : text
}

const widthMax = 160

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
