import { type Command, Option } from 'commander'
import { AntiphonError } from '../../../core/errors.ts'
import { expireThreads } from '../../../journal/erasure/expire-threads.ts'
import { plural } from '../counts.ts'
import { schemaOption, withJournal, withWritableJournal } from '../journal-file.ts'
import { type EraseFlags, printErased } from './erase.ts'

export function addExpire(program: Command): void {
  program
    .command('expire')
    .summary('erase idle threads of a journal')
    .description(
      'Erase the threads of a journal that were not changed for a number of days, with the threads of their agents. A thread stays if one of its agents has changed since then. Threads that wait for an approval or a result are erased too. Also finish erasures that were interrupted. LangGraph checkpoints are left as they are.',
    )
    .argument('<journal>', 'an SQLite file, or postgres://...')
    .addOption(
      new Option('--idle-days <days>', 'erase threads without a change for this many days')
        .argParser(daysOf)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--keep-label <label>', 'keep threads with this label; can be repeated').argParser(
        (label: string, others: readonly string[] = []) => [...others, label],
      ),
    )
    .addOption(new Option('--dry-run', 'print what would be erased, and erase nothing'))
    .addOption(schemaOption())
    .addOption(new Option('--json', 'print one JSON object per thread'))
    .addHelpText(
      'after',
      `
Examples:
  antiphon expire --idle-days 90 --dry-run chat.db
  antiphon expire --idle-days 90 chat.db
  antiphon expire --idle-days 90 --keep-label legal chat.db

Exit codes: 0; 2 unreadable.`,
    )
    .action((place: string, { idleDays, keepLabel = [], dryRun, ...flags }: ExpireFlags) =>
      (dryRun ? withJournal : withWritableJournal)(place, flags, async store => {
        let [threads, below] = [0, 0]
        const options = { idleDays, keepLabels: keepLabel, ...(dryRun && { dryRun }) }
        for await (const { row, agents } of expireThreads(store, options)) {
          threads++
          below += agents.length
          printErased(row, agents, { ...flags, ...(dryRun && { dryRun }) })
        }
        if (!flags.json)
          process.stdout.write(
            `${dryRun ? 'would erase' : 'erased'} ${plural(threads, 'thread')}${below > 0 ? `, ${plural(below, 'agent')}` : ''}\n`,
          )
      }),
    )
}

interface ExpireFlags extends EraseFlags {
  readonly idleDays: number
  readonly keepLabel?: readonly string[]
}

function daysOf(text: string): number {
  const days = Number(text)
  if (days > 0 && Number.isFinite(days)) return days
  throw new AntiphonError('wrong-number', `--idle-days must be a positive number, got ${text}`, {
    hint: 'use a number above 0, such as 90 or 0.5',
  })
}
