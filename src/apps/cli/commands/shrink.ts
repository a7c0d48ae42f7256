import type { Command } from 'commander'
import { parseExactly } from '../../../core/json/exact-json.ts'
import { rules } from '../../../core/rules/index.ts'
import { shellWord } from '../../../core/shell-word.ts'
import { fileError } from '../../../doctor/files/file-error.ts'
import { inputPath } from '../../../doctor/files/input.ts'
import { shrink } from '../../../heal/shrink/shrink.ts'
import { plural } from '../counts.ts'
import { errorLine } from '../error-line.ts'
import { exitWith } from '../exit.ts'
import {
  type Flags,
  formatOption,
  forOption,
  modelOption,
  namesHelp,
  oneOf,
  pendingCallsOption,
  pendingOption,
  pickOption,
} from '../flags.ts'
import { eachSubject, type Subject } from '../input/subject.ts'
import { plain } from '../plain.ts'

export function addShrink(program: Command): void {
  program
    .command('shrink')
    .summary('print the smallest history that still fails')
    .description(
      'Remove everything from a history that is not needed for one diagnostic, and print the rest as a JSON list.',
    )
    .argument('[file]', 'a history to read; - or none reads standard input')
    .option(
      '--rule <id>',
      'keep a diagnostic of this rule (default: the rule of the first error)',
      oneOf(
        'rule',
        rules.map(({ id }) => id),
      ),
    )
    .option('--redact', 'hide the content: letters become x, digits 0; ids, roles, keys and tool names stay')
    .addOption(forOption())
    .addOption(formatOption())
    .addOption(modelOption())
    .addOption(pendingOption())
    .addOption(pendingCallsOption())
    .addOption(pickOption())
    .addHelpText(
      'after',
      `
${namesHelp}
Examples:
  antiphon shrink chat.json > small.json
  antiphon shrink --redact chat.json           safe to attach to a bug report
  antiphon shrink --rule orphan-result --for mistral chat.json

Exit codes: 0 written; 1 no such diagnostic, nothing was written; 2 unreadable.`,
    )
    .action(shrinkFile)
}

interface ShrinkFlags extends Flags {
  readonly rule?: string
  readonly redact?: true
}

async function shrinkFile(file = '-', { rule, redact, ...flags }: ShrinkFlags): Promise<void> {
  const chosen = { ...(rule ? { rule } : {}), ...(redact ? { redact } : {}) }
  const visit = (subject: Subject): void => {
    const { input, history, options, plan, foundIn } = subject
    if (foundIn?.isSeries)
      throw fileError(
        inputPath(input),
        `${foundIn.kind} with several requests`,
        `choose one with --pick, such as --pick "${foundIn.at}"`,
      )
    const shrunk = shrink(history, { ...options, ...chosen })
    if (!shrunk) {
      exitWith('errors')
      const why = rule ? `it shows no ${rule}` : 'it is healthy'
      printLine(errorLine(`${input.name}: nothing to shrink: ${why} for ${plan.dialect.id}`))
      return
    }
    const { messages, diagnostic, kept } = shrunk
    process.stdout.write(`${JSON.stringify(messages, null, 2)}\n`)
    printLine(
      `${plural(history.length, 'message')} -> ${messages.length}, still ${diagnostic.rule} at ${diagnostic.at}`,
    )
    for (const path of kept) printLine(`not redacted, because the diagnostic depends on it: ${plain(path)}`)
    if (foundIn) printLine(`${plain(inputPath(input))}: ${plain(foundIn.note)}`)
    printLine(`check it with: antiphon check ${needed(subject)}`)
  }
  await eachSubject([file], flags, redact ? JSON.parse : parseExactly, { work: 'shrinking', visit })
}

const printLine = (line: string): boolean => process.stderr.write(`${line}\n`)

/** The options with which the shrunk list is read in the same way as the whole history. */
const needed = ({ options, plan }: Subject): string =>
  [
    `--for ${plan.dialect.id}`,
    ...(options.format === undefined ? [] : [`--format ${options.format}`]),
    ...(options.model === undefined ? [] : [`--model ${shellWord(options.model)}`]),
    ...(options.pending === undefined ? [] : [`--pending ${shellWord(String(options.pending))}`]),
  ].join(' ')
