import { type Command, Option } from 'commander'
import { readThreads } from '../../../journal/stores/read-all.ts'
import type { ThreadRow } from '../../../journal/stores/store.ts'
import { type JournalFlags, schemaOption, withJournal } from '../journal-file.ts'
import { plain } from '../plain.ts'
import { plural } from '../say.ts'

export function addThreads(program: Command): void {
  program
    .command('threads')
    .summary('list the threads of a journal')
    .description('List the threads of a journal: state, length, and time of the last entry.')
    .argument('<journal>', 'an SQLite file, or postgres://...')
    .addOption(schemaOption())
    .addOption(new Option('--json', 'print one JSON object per thread'))
    .addHelpText(
      'after',
      `
Examples:
  antiphon threads chat.db
  antiphon threads --json postgres://localhost/agents | jq 'select(.state == "parked") | .name'

Exit codes: 0; 2 unreadable.`,
    )
    .action((place: string, { json, ...flags }: JournalFlags & { json?: true }) =>
      withJournal(place, flags, async store => {
        let count = 0
        for await (const row of readThreads(store)) {
          if (count++ === 0 && !json) print(header)
          print(json ? JSON.stringify(row) : lineOf(row))
        }
        if (!json) print(plural(count, 'thread'))
      }),
    )
}

const header = `${'state'.padEnd(8)} ${'entries'.padStart(7)} ${'open'.padStart(4)}  ${'last change'.padEnd(20)}  name`

function lineOf({ state, head, openCalls, updatedAt, name }: ThreadRow): string {
  const time = `${new Date(updatedAt).toISOString().slice(0, 19)}Z`
  return `${state.padEnd(8)} ${String(head).padStart(7)} ${String(openCalls).padStart(4)}  ${time}  ${plain(name)}`
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
