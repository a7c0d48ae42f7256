import { type Command, Option } from 'commander'
import { AntiphonError } from '../../../core/errors.ts'
import { parseExactly } from '../../../core/json/exact-json.ts'
import { fileError } from '../../../doctor/files/file-error.ts'
import { inputPath } from '../../../doctor/files/input.ts'
import { withMessages } from '../../../doctor/files/output.ts'
import { type TrimOptions, type TrimReport, trim } from '../../../heal/trim.ts'
import { plural } from '../counts.ts'
import {
  type Flags,
  formatOption,
  forOption,
  integerFrom,
  jsonOption,
  modelOption,
  namesHelp,
  pickOption,
  positiveInteger,
} from '../flags.ts'
import { eachSubject, type Subject, toStderr } from '../input/subject.ts'
import { PrintedRecords } from '../output/printed-records.ts'
import { plain } from '../plain.ts'

export function addTrim(program: Command): void {
  program
    .command('trim')
    .summary('shorten a history to a limit')
    .description(
      'Print the newest turns of a history that fit into a limit, healed. A call is never separated from its results. The report goes to standard error.',
    )
    .argument('[file]', 'a history to read; - or none reads standard input')
    .addOption(
      new Option('--max-messages <count>', 'the maximum number of messages').argParser(
        positiveInteger('--max-messages'),
      ),
    )
    .addOption(
      new Option('--max-tokens <count>', 'the maximum number of tokens, about four characters each').argParser(
        positiveInteger('--max-tokens'),
      ),
    )
    .addOption(
      new Option('--clear-results', 'with --max-tokens, clear the oldest tool results instead of removing messages'),
    )
    .addOption(
      new Option(
        '--keep-results <count>',
        'with --clear-results, how many of the newest results keep their content (default: 3)',
      ).argParser(integerFrom(0, '--keep-results')),
    )
    .addOption(forOption())
    .addOption(formatOption())
    .addOption(modelOption())
    .addOption(pickOption())
    .addOption(jsonOption('one JSON object'))
    .addHelpText(
      'after',
      `
${namesHelp}
Examples:
  antiphon trim --max-messages 40 chat.json > short.json
  antiphon trim --max-tokens 100000 chat.json
  antiphon trim --max-tokens 100000 --clear-results chat.json

Exit codes: 0 written; 2 unreadable, or a wrong option.`,
    )
    .action(trimFile)
}

interface TrimFlags extends Flags {
  readonly maxMessages?: number
  readonly maxTokens?: number
  readonly clearResults?: true
  readonly keepResults?: number
}

async function trimFile(
  file = '-',
  { maxMessages, maxTokens, clearResults, keepResults, ...flags }: TrimFlags,
): Promise<void> {
  if ((maxMessages === undefined) === (maxTokens === undefined))
    throw new AntiphonError('wrong-option', 'trim needs exactly one limit', {
      hint: '--max-messages 40, or --max-tokens 100000',
    })
  if (clearResults && maxTokens === undefined)
    throw new AntiphonError('wrong-option', '--clear-results needs --max-tokens', {
      hint: 'clearing results does not reduce the number of messages',
    })
  if (keepResults !== undefined && !clearResults)
    throw new AntiphonError('wrong-option', '--keep-results needs --clear-results', {
      hint: 'add --clear-results, or leave out --keep-results',
    })
  const limit: TrimOptions = {
    ...(maxMessages === undefined ? {} : { maxMessages }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(clearResults ? { results: 'clear' } : {}),
    ...(keepResults === undefined ? {} : { keepResults }),
  }
  const visit = (subject: Subject, begin: (work: string) => void): void => {
    const { input, history, options, foundIn } = subject
    if (foundIn?.isSeries) throw oneOfSeries(inputPath(input), foundIn.kind, foundIn.at)
    let report: TrimReport | undefined
    let repairs = 0
    const trimmed = trim(history, {
      ...options,
      ...limit,
      onTrim: one => {
        report = one
      },
      onRepair: one => {
        repairs = one.repairs.length
      },
    })
    begin('writing')
    const printed = new PrintedRecords()
    process.stdout.write(printed.printable(trimmed === history ? input.bytes : withMessages(input, trimmed)))
    toStderr(printed.note(inputPath(input), flags.json === true) ?? '')
    if (foundIn) toStderr(`${plain(inputPath(input))}: ${plain(foundIn.note)}; the output is its JSON\n`)
    const { removed = 0, cleared = 0, prefixKept = 1 } = report ?? {}
    const kept = { before: history.length, after: trimmed.length, removed, cleared, prefixKept, repairs }
    toStderr(
      flags.json
        ? `${JSON.stringify({ file: inputPath(input), ...kept })}\n`
        : `${plain(input.name)}: ${summaryLine(kept)}\n`,
    )
  }
  await eachSubject([file], flags, parseExactly, { work: 'trimming', visit }, toStderr)
}

/** The error for a file that holds several histories, where a command takes one. */
export const oneOfSeries = (file: string, kind: string, at: string): AntiphonError =>
  fileError(file, `${kind} with several requests`, `choose one with --pick, such as --pick "${at}"`)

interface Kept {
  readonly before: number
  readonly after: number
  readonly cleared: number
  readonly prefixKept: number
  readonly repairs: number
}

const summaryLine = ({ before, after, cleared, prefixKept, repairs }: Kept): string =>
  [
    `${plural(before, 'message')} -> ${after}`,
    ...(cleared > 0 ? [`${plural(cleared, 'result')} cleared`] : []),
    ...(repairs > 0 ? [plural(repairs, 'repair')] : []),
    `${Math.round(prefixKept * 100)} % of the prompt prefix kept`,
  ].join(', ')
