import { type Command, Option } from 'commander'
import { Renderer, readerFor } from '../broker/render.ts'
import type { CodecId } from '../codecs/index.ts'
import type { DialectId } from '../core/dialects/index.ts'
import { entryVersion } from '../journal/entry.ts'
import type { Store, ThreadRow } from '../journal/store.ts'
import { formatOption, forOption, namesHelp } from './flags.ts'
import { allEntries, allThreads, stateOf, threadNamed, withJournal } from './journal-file.ts'

export function addExport(program: Command): void {
  program
    .command('export')
    .summary('write the conversations of a journal as JSONL')
    .description(
      'Writes threads of a journal to standard output, one JSON object a line: a head line, then each thread with its entries behind it. With --for a line holds a whole conversation as that reader takes it.',
    )
    .argument('<journal>', 'a file of SQLite, or postgres://...')
    .argument('[thread...]', 'names; all of them by default')
    .addOption(forOption())
    .addOption(formatOption())
    .addOption(new Option('--json', 'said for every command; the output is JSON anyway').hideHelp())
    .addHelpText(
      'after',
      `
${namesHelp}
Examples:
  antiphon export chat.db > backup.jsonl
  antiphon export chat.db user-42 --for openai | jq .messages

Exit codes: 0; 2 unreadable, or there is no such thread.`,
    )
    .action((place: string, names: string[], flags: ExportFlags) =>
      withJournal(place, async store => {
        const rows =
          names.length > 0 ? await Promise.all(names.map(name => threadNamed(store, name))) : allThreads(store)
        const isWhole = flags.for !== undefined || flags.format !== undefined
        if (!isWhole) await print({ antiphon: 'journal', version: entryVersion })
        for await (const row of rows) await (isWhole ? printMessages : printEntries)(store, row, flags)
      }),
    )
}

interface ExportFlags {
  readonly for?: DialectId
  readonly format?: CodecId
}

async function printEntries(store: Store, row: ThreadRow): Promise<void> {
  const { name, uid, createdAt } = row
  await print({ thread: name, uid, createdAt })
  for await (const entry of allEntries(store, row)) await print(entry)
}

async function printMessages(store: Store, row: ThreadRow, flags: ExportFlags): Promise<void> {
  const reader = readerFor(flags.for ?? 'openai', flags.format)
  await print({ thread: row.name, ...reader, messages: new Renderer(reader).render(await stateOf(store, row)) })
}

/** Waits for a reader that is slower than the journal. */
async function print(value: unknown): Promise<void> {
  if (process.stdout.write(`${JSON.stringify(value)}\n`)) return
  await new Promise<void>(resolve => process.stdout.once('drain', resolve))
}
