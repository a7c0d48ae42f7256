import type { Command } from 'commander'
import type { Diagnostic } from '../../../core/rules/check.ts'
import { inputPath } from '../../../doctor/files/input.ts'
import { type CallCounts, countCalls } from '../../../heal/count.ts'
import { check, decodeHistory } from '../../../heal/heal.ts'
import { columnsOf } from '../columns.ts'
import { excerpts } from '../excerpt.ts'
import { exitWith } from '../exit.ts'
import {
  allOption,
  type Flags,
  forAnyOption,
  formatOption,
  jsonOption,
  modelOption,
  namesHelp,
  pendingCallsOption,
  pendingOption,
} from '../flags.ts'
import { painter } from '../paint.ts'
import { plain } from '../plain.ts'
import { sayReaders, verdicts } from '../readers.ts'
import { sayDiagnostics } from '../report.ts'
import { isError, plural, sayCounts, sayFaults, sumCounts } from '../say.ts'
import { eachSubject, type Subject } from '../subject.ts'

export function addCheck(program: Command): void {
  program
    .command('check')
    .summary('find what a provider would reject')
    .description('Find everything in a history that its provider would reject, and why. Changes nothing.')
    .argument('[file...]', 'histories to read; - or none reads standard input')
    .addOption(forAnyOption())
    .addOption(formatOption())
    .addOption(modelOption())
    .addOption(pendingOption())
    .addOption(pendingCallsOption())
    .addOption(allOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
${namesHelp}
Examples:
  antiphon check chat.json
  antiphon check --for mistral chat.json       before switching the model to Mistral
  antiphon check --for all chat.json           which providers reject it, and which accept it
  antiphon check --json logs/*.jsonl | jq .counts

Exit codes: 0 healthy, warnings included; 1 errors; 2 unreadable.
With --for all it is 1 if any provider would reject the history.`,
    )
    .action((files: string[], { for: reader, ...flags }: CheckFlags) =>
      reader === 'all' ? checkForAll(files, flags) : checkFiles(files, reader ? { ...flags, for: reader } : flags),
    )
}

interface CheckFlags extends Omit<Flags, 'for'> {
  readonly for?: NonNullable<Flags['for']> | 'all'
}

async function checkFiles(files: readonly string[], flags: Flags): Promise<void> {
  const counted: CallCounts[] = []
  await eachSubject(files, flags, JSON.parse, subject => {
    const { history, options, plan } = subject
    const diagnostics = check(history, options)
    const counts = countCalls(history, options)
    counted.push(counts)
    if (diagnostics.some(isError)) exitWith('errors')
    if (flags.json) printJson(subject, { for: plan.dialect.id, diagnostics, counts })
    else printText(subject, diagnostics, flags, `${prefix(files, subject)}${sayCounts(counts)}`)
  })
  printTotal(files, counted, flags)
}

async function checkForAll(files: readonly string[], flags: Flags): Promise<void> {
  const counted: CallCounts[] = []
  await eachSubject(files, flags, JSON.parse, subject => {
    const { history, options } = subject
    const readers = verdicts(subject)
    const counts = countCalls(history, options)
    counted.push(counts)
    if (readers.some(({ diagnostics }) => diagnostics.some(isError))) exitWith('errors')
    if (flags.json) printJson(subject, { for: 'all', readers, counts })
    else {
      const lines = sayReaders(readers, painter(process.stdout), columnsOf(process.stdout))
      const title = files.length > 1 ? [plain(subject.input.name)] : []
      print([...title, ...lines, `${prefix(files, subject)}${sayCounts(counts)}`])
    }
  })
  printTotal(files, counted, flags)
}

function printText(
  { input, history, plan }: Subject,
  diagnostics: readonly Diagnostic[],
  { all }: Flags,
  ending: string,
): void {
  const excerpt = diagnostics.length === 0 ? undefined : excerpts(decodeHistory(history, plan), history)
  const blocks = sayDiagnostics(diagnostics, { input, excerpt, paint: painter(process.stdout), all: all === true })
  const reader = `for ${plan.dialect.id} (${plan.codec.id})`
  print([...blocks, `${sayFaults(diagnostics) || 'healthy'} ${reader}`, ending])
}

function printJson({ input, plan }: Subject, findings: object): void {
  print([JSON.stringify({ file: inputPath(input), format: plan.codec.id, ...findings })])
}

function printTotal(files: readonly string[], counted: readonly CallCounts[], { json }: Flags): void {
  if (files.length > 1 && !json) print([`total of ${plural(counted.length, 'file')}: ${sayCounts(sumCounts(counted))}`])
}

const prefix = (files: readonly string[], { input }: Subject): string =>
  files.length > 1 ? `${plain(input.name)}: ` : ''

const print = (lines: readonly string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`)
}
