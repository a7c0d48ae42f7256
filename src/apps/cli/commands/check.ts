import type { Command } from 'commander'
import { parseExactly } from '../../../core/json/exact-json.ts'
import type { Diagnostic } from '../../../core/rules/check.ts'
import { inputPath } from '../../../doctor/files/input.ts'
import { countCalls } from '../../../heal/count.ts'
import { check, decodeHistory } from '../../../heal/heal.ts'
import { columnsOf } from '../columns.ts'
import { callCountsText, diagnosticCountsText, isError } from '../counts.ts'
import { renderVerdicts, verdictsOf } from '../dialect-verdicts.ts'
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
import { renderDiagnostics } from '../report.ts'

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
    async visit(subject) {
      const { history, options, plan, foundIn } = subject
      const diagnostics = check(history, options)
      const counts = countCalls(history, options)
      const isBroken = diagnostics.some(isError)
      const because = error === undefined ? undefined : await import('../input/named-places.ts')
      const named = because?.namedPlaces(error ?? '', subject)
      if (isBroken || named) exitWith('errors')
      if (because && named && !flags.json) print(because.renderNamedPlaces(named, subject))
      if (flags.json) printJson(subject, { for: plan.dialect.id, diagnostics, counts, ...(named && { named }) })
      else if (foundIn?.isSeries) printOne(subject, diagnostics, tally.limit(diagnostics.length))
      else printText(subject, diagnostics, flags, `${prefix(files, subject)}${callCountsText(counts)}`)
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
    visit(subject) {
      const { history, options, input, foundIn } = subject
      const verdicts = verdictsOf(subject)
      const counts = countCalls(history, options)
      const isBroken = verdicts.some(({ diagnostics }) => diagnostics.some(isError))
      if (isBroken) exitWith('errors')
      if (flags.json) printJson(subject, { for: 'all', readers: verdicts, counts })
      else {
        const lines = renderVerdicts(verdicts, painter(process.stdout), columnsOf(process.stdout))
        const title = files.length > 1 || foundIn?.isSeries ? [plain(input.name)] : []
        const ending = foundIn?.isSeries ? [] : [`${prefix(files, subject)}${callCountsText(counts)}`]
        print([...foundInLine(subject), ...title, ...lines, ...ending])
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
  print([...foundInLine(subject), ...blocks, `${diagnosticCountsText(diagnostics) || 'healthy'} ${target}`, ending])
}

/** One of a series: only what is wrong, as far as the limit allows. */
function printOne(subject: Subject, diagnostics: readonly Diagnostic[], max: number): void {
  if (diagnostics.length === 0 || max === 0) return
  const { input, plan } = subject
  const blocks = diagnosticBlocks(subject, diagnostics.slice(0, max), true)
  print([
    ...blocks,
    `${plain(input.name)}: ${diagnosticCountsText(diagnostics)} for ${plan.dialect.id} (format ${plan.codec.id})\n`,
  ])
}

function diagnosticBlocks(
  { input, history, plan }: Subject,
  diagnostics: readonly Diagnostic[],
  all: boolean,
): string[] {
  const excerpt = diagnostics.length === 0 ? undefined : excerpts(decodeHistory(history, plan), history)
  return renderDiagnostics(diagnostics, { input, excerpt, paint: painter(process.stdout), all })
}

function printJson({ input, plan, foundIn }: Subject, findings: object): void {
  const from = foundIn && { from: foundIn.kind, at: foundIn.at }
  print([JSON.stringify({ file: inputPath(input), ...from, format: plan.codec.id, ...findings })])
}

/** Where the history was found, if it was inside a larger text. For a series the summary says this. */
const foundInLine = ({ input, foundIn }: Subject): string[] =>
  foundIn === undefined || foundIn.isSeries ? [] : [`${plain(inputPath(input))}: ${plain(foundIn.note)}`]

const prefix = (files: readonly string[], { input }: Subject): string =>
  files.length > 1 ? `${plain(input.name)}: ` : ''

const print = (lines: readonly string[]): void => {
  process.stdout.write(`${lines.join('\n')}\n`)
}
