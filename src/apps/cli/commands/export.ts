import { type Command, Option } from 'commander'
import type { CodecId } from '../../../codecs/index.ts'
import type { DialectId } from '../../../core/dialects/index.ts'
import { AntiphonError } from '../../../core/errors.ts'
import { sessionFormat } from '../../../integrations/openai-agents/session-items.ts'
import { agentTree } from '../../../journal/agents/agent-rows.ts'
import { isOfBranch } from '../../../journal/branches/thread-branch.ts'
import { entryVersion } from '../../../journal/entry.ts'
import { viewOf } from '../../../journal/fold.ts'
import { Renderer, renderTargetFor } from '../../../journal/render/render.ts'
import { readEntries, readState, readThreads } from '../../../journal/stores/read-all.ts'
import type { Store, ThreadRow } from '../../../journal/stores/store.ts'
import { plural } from '../counts.ts'
import { forOption, namesHelp, printedFormatOption } from '../flags.ts'
import {
  branchNamed,
  type JournalFlags,
  schemaOption,
  sealKeyOption,
  threadNamed,
  withJournal,
} from '../journal-file.ts'
import { sessionItems } from '../session.ts'

export function addExport(program: Command): void {
  program
    .command('export')
    .summary('export the threads of a journal as JSONL')
    .description(
      'Print threads of a journal as JSONL: a header line, then each thread followed by its entries, and by the threads of its agents. With --for or --format, each line is a whole history in that format.',
    )
    .argument('<journal>', 'an SQLite file, or postgres://...')
    .argument('[thread...]', 'thread names (default: all)')
    .addOption(forOption('none; journal entries are printed, not messages'))
    .addOption(printedFormatOption())
    .addOption(schemaOption())
    .addOption(sealKeyOption())
    .addOption(
      new Option(
        '--branch <number>',
        'a branch of the one named thread (default: all entries; the current branch with --for or --format)',
      ),
    )
    .addOption(new Option('--json', 'accepted for consistency; the output is always JSON').hideHelp())
    .addHelpText(
      'after',
      `
${namesHelp}
Examples:
  antiphon export chat.db > backup.jsonl
  antiphon export chat.db user-42 --for openai | jq .messages
  antiphon export chat.db user-42 --branch 1 --for openai

Exit codes: 0; 2 unreadable, or unknown thread or branch.`,
    )
    .action((place: string, names: string[], flags: ExportFlags) =>
      withJournal(place, flags, async store => {
        if (flags.branch !== undefined && names.length !== 1)
          throw new AntiphonError('wrong-option', '--branch needs the name of one thread', {
            hint: 'antiphon show lists the branches of a thread',
          })
        const rows =
          names.length > 0 ? await Promise.all(names.map(name => threadNamed(store, name))) : readThreads(store)
        for await (const line of lines(store, withAgents(store, rows), flags)) if (!(await print(line))) return
      }),
    )
}

interface ExportFlags extends JournalFlags {
  readonly for?: DialectId
  readonly format?: CodecId
  readonly branch?: string
}

/** Each thread, followed by those of its agents. */
async function* withAgents(
  store: Store,
  rows: Iterable<ThreadRow> | AsyncIterable<ThreadRow>,
): AsyncGenerator<ThreadRow> {
  for await (const row of rows) {
    yield row
    if (row.state !== 'erased') yield* agentTree(store, row)
  }
}

async function* lines(store: Store, rows: AsyncIterable<ThreadRow>, flags: ExportFlags): AsyncGenerator<object> {
  const isWhole = flags.for !== undefined || flags.format !== undefined
  if (!isWhole) yield { antiphon: 'journal', version: entryVersion }
  const damages: AntiphonError[] = []
  // Only of the named thread: those of its agents, which follow, have branches of their own.
  let { branch } = flags
  for await (const row of rows)
    try {
      const wanted = branch
      branch = undefined
      const state = wanted === undefined || row.state === 'kept' ? undefined : await readState(store, row)
      const only = state && branchNamed(state, wanted)
      if (isWhole) yield await conversation(store, row, flags, only)
      else {
        const { name, uid, createdAt } = row
        yield { thread: name, uid, createdAt }
        for await (const entry of readEntries(store, row))
          if (!state || only === undefined || isOfBranch(state, entry, only)) yield entry
      }
    } catch (error) {
      // The other threads can still be read.
      if (!AntiphonError.is(error) || error.code !== 'journal-damaged') throw error
      damages.push(error)
    }
  const [first, ...more] = damages
  if (first && more.length === 0) throw first
  if (first) {
    const { code, message, hint = '', data } = first
    throw new AntiphonError(code, `${message}; ${plural(more.length, 'more thread')} cannot be read`, { ...data, hint })
  }
}

async function conversation(store: Store, row: ThreadRow, flags: ExportFlags, branch?: number): Promise<object> {
  // A thread of an adapter is in the format of its SDK, and is not converted.
  if (row.state === 'kept') return { thread: row.name, format: sessionFormat, items: await sessionItems(store, row) }
  const target = renderTargetFor(flags.for ?? 'openai', flags.format)
  const state = await readState(store, row)
  const view = branch === undefined ? state : viewOf(state, branch)
  return { thread: row.name, ...target, messages: new Renderer(target, view).render() }
}

/** Writes a line, and waits while standard output is full. Returns false if it was closed. */
async function print(line: object): Promise<boolean> {
  const { stdout } = process
  if (!stdout.write(`${JSON.stringify(line)}\n`) && stdout.writable)
    await new Promise<void>(resolve => {
      const goOn = (): void => {
        stdout.off('drain', goOn).off('close', goOn)
        resolve()
      }
      stdout.on('drain', goOn).on('close', goOn)
    })
  return stdout.writable
}
