import { type Command, Option } from 'commander'
import { AntiphonError } from '../../../core/errors.ts'
import { rebalance } from '../../../journal/stores/shards/rebalance.ts'
import { plural } from '../counts.ts'
import { exitWith } from '../exit.ts'
import { schemaOption } from '../journal-file.ts'
import { plain } from '../plain.ts'

export function addRebalance(program: Command): void {
  program
    .command('rebalance')
    .summary('move threads of a journal to added databases')
    .description(
      'Move threads to their shards. A journal can be divided among several PostgreSQL databases, its shards: run this after you have added databases at the end of the list that openJournal gets. First, open the journal with the longer list in every process; it can then be used while threads move. A thread whose turn is running is moved when the turn is over. The command can be stopped at any moment, also by a crash: run it again to continue.',
    )
    .argument('<shard...>', 'postgres://... of every shard, in the order that openJournal gets')
    .addOption(new Option('--dry-run', 'print what would be moved, and move nothing'))
    .addOption(
      new Option('--wait <seconds>', 'how long to wait for turns that are running (default: 600)').argParser(secondsOf),
    )
    .addOption(schemaOption())
    .addOption(new Option('--json', 'print one JSON object per thread, and one at the end'))
    .addHelpText(
      'after',
      `
Examples:
  antiphon rebalance --dry-run postgres://a/chat postgres://b/chat postgres://c/chat
  antiphon rebalance postgres://a/chat postgres://b/chat postgres://c/chat

Exit codes: 0 all threads are in their shards; 1 some are not yet, run it again; 2 unreadable.`,
    )
    .action(async (shards: string[], flags: RebalanceFlags) => {
      const wrong = shards.find(shard => !/^postgres(ql)?:/i.test(shard))
      if (wrong !== undefined)
        throw new AntiphonError('wrong-option', 'a shard must be a PostgreSQL database', {
          hint: 'give the postgres://... of every shard, in the order that openJournal gets',
        })
      const stopping = new AbortController()
      process.once('SIGINT', () => stopping.abort())
      const { dryRun = false, json, schema, wait = 600 } = flags
      const done = await rebalance(
        { shards },
        {
          ...{ dryRun, waitMs: wait * 1_000, signal: stopping.signal, reconnectMs: 2_000 },
          ...(schema !== undefined && { schema }),
          onMove: ({ thread, from, to }) => {
            const line = `${dryRun ? 'would move' : 'moved'} ${plain(thread)} from shard ${from} to shard ${to}`
            process.stdout.write(`${json ? JSON.stringify({ thread, from, to, moved: !dryRun }) : line}\n`)
          },
        },
      )
      const waiting = done.waiting > 0 ? `, ${done.waiting} have an owner` : ''
      const line = `${dryRun ? 'would move' : 'moved'} ${plural(done.moved, 'thread')}; ${done.inPlace} are where they belong${waiting}`
      process.stdout.write(`${json ? JSON.stringify(done) : line}\n`)
      if (!dryRun && !done.isComplete) exitWith('errors')
    })
}

interface RebalanceFlags {
  readonly dryRun?: boolean
  readonly wait?: number
  readonly schema?: string
  readonly json?: boolean
}

function secondsOf(text: string): number {
  const seconds = Number(text)
  if (text.trim() !== '' && seconds >= 0 && Number.isFinite(seconds)) return seconds
  throw new AntiphonError('wrong-number', `--wait must be a number of seconds, got ${text}`, { hint: 'such as 60' })
}
