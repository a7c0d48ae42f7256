import type { Command } from 'commander'
import { parseExactly } from '../../../core/json/exact-json.ts'
import type { Diagnostic } from '../../../core/rules/check.ts'
import { inputPath } from '../../../doctor/files/input.ts'
import { countCalls } from '../../../heal/count.ts'
import { check, decodeHistory } from '../../../heal/heal.ts'
import { columnsOf } from '../columns.ts'
import { sayVerdicts, verdictsOf } from '../dialect-verdicts.ts'
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
  pickOption,
} from '../flags.ts'
import { CheckTally } from '../input/check-tally.ts'
import { eachSubject, type Subject } from '../input/subject.ts'
import { painter } from '../paint.ts'
import { plain } from '../plain.ts'
import { sayDiagnostics } from '../report.ts'
import { isError, sayCounts, sayDiagnosticCounts } from '../say.ts'

export function addCheck(program: Command): void {
  program
    .command('check')
    .summary('find what a provider would reject')
    .description('Find everything in a history that its provider would reject, and why. Changes nothing.')
    .argument('[file...]', 'histories to read; - or none reads standard input')
    .option(
      '--because <error>',
      'show the place that this provider error names; the error is given as a file, text, JSON, or - for standard input',
    )
    .addOption(forAnyOption())
    .addOption(formatOption())
    .addOption(modelOption())
    .addOption(pendingOption())
    .addOption(pendingCallsOption())
    .addOption(pickOption())
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
  antiphon check body.json --because error.json

Exit codes: 0 healthy, warnings included; 1 errors; 2 unreadable.
With --for all it is 1 if any provider would reject the history.`,
    )
    .action(async (files: string[], { for: dialect, because, ...flags }: CheckFlags) => {
      const error =
        because === undefined ? undefined : await (await import('../input/rejection-input.ts')).errorText(because)
      if (dialect === 'all') await checkForAll(files, flags)
      else await checkFiles(files, dialect ? { ...flags, for: dialect } : flags, error)
    })
}

interface CheckFlags extends Omit<Flags, 'for'> {
  readonly for?: NonNullable<Flags['for']> | 'all'
  readonly because?: string
}

async function checkFiles(files: readonly string[], flags: Flags, error?: string): Promise<void> {
  const tally = new CheckTally(files, flags)
  await eachSubject(files, flags, parseExactly, {
    work: 'checking',
    async see(subject) {
      const { history, options, plan, taken } = subject
      const diagnostics = check(history, options)
      const counts = countCalls(history, options)
      const isBroken = diagnostics.some(isError)
      const because = error === undefined ? undefined : await import('../input/named-places.ts')
      const named = because?.namedPlaces(error ?? '', subject)
      if (isBroken || named) exitWith('errors')
      if (because && named && !flags.json) print(because.sayNamed(named, subject))
      if (flags.json) printJson(subject, { for: plan.dialect.id, diagnostics, counts, ...(named && { named }) })
      else if (taken?.isSeries) printOne(subject, diagnostics, tally.limit(diagnostics.length))
      else printText(subject, diagnostics, flags, `${prefix(files, subject)}${sayCounts(counts)}`)
      tally.add(subject, counts, isBroken)
    },
    line: line => tally.line(line),
    end: file => tally.end(file),
  })
  tally.total()
}

async function checkForAll(files: readonly string[], flags: Flags): Promise<void> {
  const tally = new CheckTally(files, flags)
  await eachSubject(files, flags, parseExactly, {
    work: 'checking',
    see(subject) {
      const { history, options, input, taken } = subject
      const verdicts = verdictsOf(subject)
      const counts = countCalls(history, options)
      const isBroken = verdicts.some(({ diagnostics }) => diagnostics.some(isError))
      if (isBroken) exitWith('errors')
      if (flags.json) printJson(subject, { for: 'all', readers: verdicts, counts })
      else {
        const lines = sayVerdicts(verdicts, painter(process.stdout), columnsOf(process.stdout))
        const title = files.length > 1 || taken?.isSeries ? [plain(input.name)] : []
        const ending = taken?.isSeries ? [] : [`${prefix(files, subject)}${sayCounts(counts)}`]
        print([...sayTaken(subject), ...title, ...lines, ...ending])
      }
      tally.add(subject, counts, isBroken)
    },
    line: line => tally.line(line),
    end: file => tally.end(file),
  })
  tally.total()
}

function printText(subject: Subject, diagnostics: readonly Diagnostic[], { all }: Flags, ending: string): void {
  const { plan } = subject
  const blocks = diagnosticBlocks(subject, diagnostics, all === true)
  const target = `for ${plan.dialect.id} (format ${plan.codec.id})`
  print([...sayTaken(subject), ...blocks, `${sayDiagnosticCounts(diagnostics) || 'healthy'} ${target}`, ending])
}

/** One of a series: only what is wrong, as far as the limit allows. */
function printOne(subject: Subject, diagnostics: readonly Diagnostic[], max: number): void {
  if (diagnostics.length === 0 || max === 0) return
  const { input, plan } = subject
  const blocks = diagnosticBlocks(subject, diagnostics.slice(0, max), true)
  print([
    ...blocks,
    `${plain(input.name)}: ${sayDiagnosticCounts(diagnostics)} for ${plan.dialect.id} (format ${plan.codec.id})\n`,
  ])
}

function diagnosticBlocks(
  { input, history, plan }: Subject,
  diagnostics: readonly Diagnostic[],
  all: boolean,
): string[] {
  const excerpt = diagnostics.length === 0 ? undefined : excerpts(decodeHistory(history, plan), history)
  return sayDiagnostics(diagnostics, { input, excerpt, paint: painter(process.stdout), all })
}

function printJson({ input, plan, taken }: Subject, findings: object): void {
  const from = taken && { from: taken.kind, at: taken.at }
  print([JSON.stringify({ file: inputPath(input), ...from, format: plan.codec.id, ...findings })])
}

/** How it was taken out of something larger. For a series the summary says this. */
const sayTaken = ({ input, taken }: Subject): string[] =>
  taken === undefined || taken.isSeries ? [] : [`${plain(inputPath(input))}: ${plain(taken.note)}`]

const prefix = (files: readonly string[], { input }: Subject): string =>
  files.length > 1 ? `${plain(input.name)}: ` : ''

const print = (lines: readonly string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`)
}
