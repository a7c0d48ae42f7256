import type { Command } from 'commander'
import { AntiphonError } from '../../../../core/errors.ts'
import { parseExactly } from '../../../../core/json/exact-json.ts'
import type { RepairResult } from '../../../../core/report.ts'
import { fileError } from '../../../../doctor/files/file-error.ts'
import { inputPath } from '../../../../doctor/files/input.ts'
import { hardLinkNotes, realPlace } from '../../../../doctor/files/no-links.ts'
import { withMessages } from '../../../../doctor/files/output.ts'
import { replaceFileWithBackup } from '../../../../doctor/files/replace-file.ts'
import { type CallCounts, countCalls } from '../../../../heal/count.ts'
import { decodeHistory, repair } from '../../../../heal/heal.ts'
import { callCountsText, diagnosticCountsText, isError, plural } from '../../counts.ts'
import { excerpts } from '../../excerpt.ts'
import { exitWith } from '../../exit.ts'
import {
  allOption,
  allowOption,
  type Flags,
  formatOption,
  forOption,
  jsonOption,
  modelOption,
  namedModel,
  namesHelp,
  orphansOption,
  pendingCallsOption,
  pendingOption,
  pickOption,
  repeatsOption,
} from '../../flags.ts'
import { HealedLines } from '../../input/healed-lines.ts'
import { eachSubject, type Subject, toStderr } from '../../input/subject.ts'
import { painter } from '../../paint.ts'
import { plain } from '../../plain.ts'
import { renderDiagnostics, renderRepairs } from '../../report.ts'
import { healBecause } from './heal-because.ts'

export function addHeal(program: Command): void {
  program
    .command('heal')
    .summary('repair a history; --write repairs it in place')
    .description('Repair a history and print it. The report goes to standard error.')
    .argument('[file...]', 'histories to read; - or none reads standard input')
    .option('--write', 'replace each file; the old one is kept as FILE.bak')
    .option('--dry-run', 'print the report only, write nothing')
    .option(
      '--because <error>',
      'repair what this provider error names; the error is given as a file, text, JSON, or - for standard input',
    )
    .option('--stdio', 'heal requests from standard input, one per line: for programs in other languages')
    .addOption(forOption())
    .addOption(formatOption())
    .addOption(modelOption())
    .addOption(pendingOption())
    .addOption(pendingCallsOption())
    .addOption(orphansOption())
    .addOption(repeatsOption())
    .addOption(allowOption())
    .addOption(pickOption())
    .addOption(allOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      `
The output has the form of the input: a list, a request body, or one message per line. Unchanged messages are
written byte for byte, and --write does not touch a healthy file.

${namesHelp}
Examples:
  antiphon heal chat.json > healed.json
  antiphon heal --write sessions/*.json        with a backup next to each file that changes
  antiphon heal --dry-run --allow lossless chat.json
  antiphon heal --pending keep chat.json       the last calls are still running
  antiphon heal body.json --because error.json > healed.json
  antiphon heal --stdio                        JSON lines; in: {"id": 1, "body": [...]}; out: body and report

Exit codes: 0 no error remains; 1 errors remain, because the options do not allow their repair; 2 unreadable.`,
    )
    .action(healFiles)
}

interface HealFlags extends Flags {
  readonly because?: string
  readonly write?: true
  readonly dryRun?: true
  readonly stdio?: true
}

async function healFiles(
  files: readonly string[],
  { write, dryRun, because, stdio, ...flags }: HealFlags,
): Promise<void> {
  if (stdio) {
    if (
      files.length > 0 ||
      write ||
      dryRun ||
      because !== undefined ||
      flags.json ||
      flags.all ||
      flags.pick !== undefined
    )
      throw new AntiphonError(
        'wrong-option',
        '--stdio cannot be combined with files, --write, --dry-run, --because, --pick, --all or --json',
        {
          hint: 'options such as --for, --format, --model and --allow work',
        },
      )
    const model = flags.model ?? namedModel()
    await (await import('./heal-stdio.ts')).healStdio({ ...flags, ...(model === undefined ? {} : { model }) })
    return
  }
  if (because !== undefined) {
    await healBecause(files, because, { ...flags, write: write === true, dryRun: dryRun === true })
    return
  }
  if (write && (files.length === 0 || files.includes('-')))
    throw new AntiphonError('no-file', '--write needs files: standard input cannot be replaced', {
      hint: 'name a file, or omit --write to print the repaired history',
    })
  if (files.length > 1 && !write && !dryRun)
    throw new AntiphonError('many-files', 'cannot write several histories to one output', {
      hint: 'use --write to repair them in place, or --dry-run for the report',
    })
  const lines = new HealedLines({
    isWritten: write === true && !dryRun,
    isPrinted: !write && !dryRun,
    json: flags.json === true,
  })
  await eachSubject(
    files,
    flags,
    parseExactly,
    {
      work: 'healing',
      visit(subject, begin) {
        const { input, history, options, foundIn } = subject
        if (!dryRun) mustHaveOutput(subject, write === true)
        const result = repair(history, options)
        const counts = { before: countCalls(history, options), after: countCalls(result.messages, afterwards(subject)) }
        if (result.changed) foundIn?.replace?.(result.messages)
        const isLine = foundIn?.replace !== undefined
        if (!dryRun) begin('writing')
        const bytes = result.changed && !isLine ? withMessages(input, result.messages) : input.bytes
        const isWritten = write === true && !dryRun && result.changed && input.path !== undefined
        const notes = isWritten ? hardLinkNotes([realPlace(input.path)]) : []
        const backup = isWritten ? replaceFileWithBackup(input.path, input.bytes, bytes) : undefined
        if (!write && !dryRun && !isLine) lines.print(bytes)
        if (result.remaining.some(isError)) exitWith('errors')
        lines.add(result)
        if (isLine && !flags.json && result.repairs.length + result.remaining.length === 0) return
        const report = flags.json ? reportJson : reportText
        toStderr(`${report(subject, { ...result, counts, backup, notes, isDry: dryRun === true }, flags)}\n`)
      },
      line: line => lines.line(line),
      end: (file, isWhole) => lines.end(file, isWhole),
    },
    toStderr,
  )
}

/** What was taken out of a file cannot be put back, except into a line of its own. */
function mustHaveOutput({ input, foundIn }: Subject, write: boolean): void {
  if (foundIn?.replace !== undefined) return
  const file = inputPath(input)
  if (write && input.path === undefined)
    throw fileError(
      foundIn ? file : input.name,
      `${foundIn?.kind ?? 'a tape'} cannot be rewritten`,
      'omit --write to print the repaired request',
    )
  if (foundIn?.isSeries)
    throw fileError(
      file,
      `${foundIn.kind} with several requests`,
      `choose one with --pick, such as --pick "${foundIn.at}", or use --dry-run`,
    )
}

/** The healed history is read in the format of the broken one, also if it fits several formats. */
const afterwards = ({ options, plan }: Subject): Subject['options'] =>
  ({ ...options, format: plan.codec.id }) as Subject['options']

interface Healed extends RepairResult<readonly unknown[]> {
  readonly counts: { readonly before: CallCounts; readonly after: CallCounts }
  readonly backup: string | undefined
  /** Notes for the user. */
  readonly notes: readonly string[]
  /** Nothing is written, neither to a file nor to standard output. */
  readonly isDry: boolean
}

function reportJson(
  { input, plan, foundIn }: Subject,
  { changed, repairs, remaining, counts, backup, notes }: Healed,
): string {
  const file = inputPath(input)
  const { codec, dialect } = plan
  return JSON.stringify({
    ...{
      file,
      ...(foundIn && { from: foundIn.kind, at: foundIn.at }),
      format: codec.id,
      for: dialect.id,
      changed,
      repairs,
      remaining,
      counts,
      backup,
    },
    ...(notes.length > 0 && { notes }),
  })
}

function reportText(
  subject: Subject,
  { repairs, remaining, counts, backup, notes, isDry }: Healed,
  { all }: Flags,
): string {
  const { input, history, plan, foundIn } = subject
  const isQuiet = repairs.length === 0 && remaining.length === 0
  const excerpt = isQuiet ? undefined : excerpts(decodeHistory(history, plan), history)
  const context = { input, excerpt, paint: painter(process.stderr), planned: isDry, all: all === true }
  const name = plain(input.name)
  const isPlanned = isDry && repairs.length > 0
  const none = remaining.length === 0 ? 'nothing to repair' : 'nothing repaired'
  const made = repairs.length === 0 ? none : plural(repairs.length, 'repair')
  const left =
    remaining.length === 0 ? '' : `, ${diagnosticCountsText(remaining)} ${isPlanned ? 'would be left' : 'left'}`
  const target = `for ${plan.dialect.id} (format ${plan.codec.id})`
  const ending = backup ? `, backup in ${plain(backup)}` : ''
  const arrow = isPlanned ? 'would become' : '->'
  const from =
    foundIn && !foundIn.isSeries ? [`${plain(inputPath(input))}: ${plain(foundIn.note)}; the output is its JSON`] : []
  return [
    ...from,
    ...renderRepairs(repairs, context),
    ...renderDiagnostics(remaining, context),
    isPlanned
      ? `${name}: ${made} ${target} would be made${left}; nothing was written`
      : `${name}: ${made}${left} ${target}${ending}`,
    repairs.length === 0
      ? callCountsText(counts.before)
      : `${callCountsText(counts.before)} ${arrow} ${callCountsText(counts.after)}`,
    ...notes.map(note => plain(note)),
  ].join('\n')
}
