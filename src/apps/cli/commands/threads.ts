import { type Command, Option } from 'commander'
import { AntiphonError } from '../../../core/errors.ts'
import { lastTurnStatus, readThreads } from '../../../journal/stores/read-all.ts'
import type { Store, ThreadRow } from '../../../journal/stores/store.ts'
import { type JournalFlags, schemaOption, withJournal } from '../journal-file.ts'
import { plain } from '../plain.ts'
import { plural } from '../say.ts'

export function addThreads(program: Command): void {
  program
    .command('threads')
    .summary('list the threads of a journal')
    .description(
      'List the threads of a journal: state, length, and time of the last entry. An idle thread whose last turn failed is shown as failed.',
    )
    .argument('<journal>', 'an SQLite file, or postgres://...')
    .addOption(schemaOption())
    .addOption(new Option('--status <status>', 'only threads with this status').choices(statuses))
    .addOption(new Option('--json', 'print one JSON object per thread'))
    .addHelpText(
      'after',
      `
Examples:
  antiphon threads chat.db
  antiphon threads chat.db --status failed
  antiphon threads --json postgres://localhost/agents | jq 'select(.state == "parked") | .name'

Exit codes: 0; 2 unreadable.`,
    )
    .action((place: string, { json, status: wanted, ...flags }: ThreadsFlags) =>
      withJournal(place, flags, async store => {
        let count = 0
        for await (const row of readThreads(store)) {
          const status = await statusOf(store, row)
          if (wanted !== undefined && status !== wanted) continue
          if (count++ === 0 && !json) print(header)
          print(json ? JSON.stringify({ ...row, status }) : lineOf(row, status))
        }
        if (!json) print(plural(count, 'thread'))
      }),
    )
}

const header = `${'state'.padEnd(8)} ${'entries'.padStart(7)} ${'open'.padStart(4)}  ${'last change'.padEnd(20)}  name`

interface ThreadsFlags extends JournalFlags {
  readonly status?: ThreadStatus
  readonly json?: true
}

type ThreadStatus = ThreadRow['state'] | 'failed'

const statuses: readonly ThreadStatus[] = ['idle', 'running', 'parked', 'failed', 'kept', 'erased']

/** The state of a thread, or that its last turn failed. A thread that cannot be read is listed by its state. */
async function statusOf(store: Store, row: ThreadRow): Promise<ThreadStatus> {
  const { state, dueAt } = row
  if (state !== 'idle' || dueAt !== undefined) return state
  try {
    return (await lastTurnStatus(store, row)) === 'failed' ? 'failed' : state
  } catch (error) {
    if (AntiphonError.is(error)) return state
    throw error
  }
}

function lineOf({ head, openCalls, updatedAt, name }: ThreadRow, status: ThreadStatus): string {
  const time = `${new Date(updatedAt).toISOString().slice(0, 19)}Z`
  return `${status.padEnd(8)} ${String(head).padStart(7)} ${String(openCalls).padStart(4)}  ${time}  ${plain(name)}`
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
