import { type Command, Option } from 'commander'
import { parentOf } from '../../../journal/agents/child-name.ts'
import { eraseThread } from '../../../journal/erasure/erase-thread.ts'
import { assertNotErased, isGone } from '../../../journal/erasure/tombstone.ts'
import { openJournal } from '../../../journal/journal.ts'
import type { ThreadRow } from '../../../journal/stores/store.ts'
import { type JournalFlags, schemaOption, threadNamed, withJournal, withWritableJournal } from '../journal-file.ts'
import { plain } from '../plain.ts'

export function addErase(program: Command): void {
  program
    .command('erase')
    .summary('erase threads of a journal')
    .description(
      'Erase threads of a journal for good: entries, inputs, calls and name. Running turns are stopped. The name cannot be used again.',
    )
    .argument('<journal>', 'an SQLite file, or postgres://...')
    .argument('<thread...>', 'thread names')
    .addOption(new Option('--dry-run', 'print what would be erased, and erase nothing'))
    .addOption(schemaOption())
    .addOption(new Option('--json', 'print one JSON object per thread'))
    .addHelpText(
      'after',
      `
Examples:
  antiphon erase --dry-run chat.db user-42
  antiphon erase chat.db user-42

Exit codes: 0; 2 unreadable, unknown thread, or already erased.`,
    )
    .action((place: string, names: string[], { dryRun, ...flags }: EraseFlags) =>
      (dryRun ? withJournal : withWritableJournal)(place, flags, async store => {
        // All names are looked up first, so that a wrong one erases nothing.
        const rows: ThreadRow[] = []
        for (const name of names) rows.push(await threadNamed(store, name))
        for (const row of rows) if (isGone(row)) assertNotErased(row)
        const journal = await openJournal(store, { telemetry: false })
        for (const row of rows) {
          // The thread that called an agent must not wait for it for ever.
          const erase = () => (parentOf(row.name) ? journal.thread(row.name).erase() : eraseThread(store, row.thread))
          if (!dryRun) await erase()
          printErased(row, { ...flags, ...(dryRun && { dryRun }) })
        }
      }),
    )
}

export interface EraseFlags extends JournalFlags {
  readonly dryRun?: true
  readonly json?: true
}

export function printErased(
  { name, head, updatedAt }: ThreadRow,
  { dryRun, json }: Pick<EraseFlags, 'dryRun' | 'json'>,
): void {
  const lastChange = `${new Date(updatedAt).toISOString().slice(0, 19)}Z`
  const line = `${dryRun ? 'would erase' : 'erased'} ${plain(name)} (${head === 1 ? '1 entry' : `${head} entries`}, last change ${lastChange})`
  const text = json ? JSON.stringify({ name, entries: head, updatedAt, erased: !dryRun }) : line
  process.stdout.write(`${text}\n`)
}
