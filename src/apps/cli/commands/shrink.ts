import type { Command } from 'commander'
import { parseExactly } from '../../../core/json/exact-json.ts'
import { rules } from '../../../core/rules/index.ts'
import { shellWord } from '../../../core/shell-word.ts'
import { fileError } from '../../../doctor/files/file-error.ts'
import { inputPath } from '../../../doctor/files/input.ts'
import { shrink } from '../../../heal/shrink/shrink.ts'
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
import { plural } from '../say.ts'

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
      'the rule to show (default: the rule of the first error)',
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
  const see = (subject: Subject): void => {
    const { input, history, options, plan, taken } = subject
    if (taken?.isSeries)
      throw fileError(
        inputPath(input),
        `${taken.kind} with several requests`,
        `choose one with --pick, such as --pick "${taken.at}"`,
      )
    const shrunk = shrink(history, { ...options, ...chosen })
    if (!shrunk) {
      exitWith('errors')
      const why = rule ? `it shows no ${rule}` : 'it is healthy'
      say(errorLine(`${input.name}: nothing to shrink: ${why} for ${plan.dialect.id}`))
      return
    }
    const { messages, diagnostic, kept } = shrunk
    process.stdout.write(`${JSON.stringify(messages, null, 2)}\n`)
    say(`${plural(history.length, 'message')} -> ${messages.length}, still ${diagnostic.rule} at ${diagnostic.at}`)
    for (const path of kept) say(`not redacted, because the diagnostic depends on it: ${plain(path)}`)
    if (taken) say(`${plain(inputPath(input))}: ${plain(taken.note)}`)
    say(`check it with: antiphon check ${needed(subject)}`)
  }
  await eachSubject([file], flags, redact ? JSON.parse : parseExactly, { work: 'shrinking', see })
}

const say = (line: string): boolean => process.stderr.write(`${line}\n`)

/** The options with which the shrunk list is read in the same way as the whole history. */
const needed = ({ options, plan }: Subject): string =>
  [
    `--for ${plan.dialect.id}`,
    ...(options.format === undefined ? [] : [`--format ${options.format}`]),
    ...(options.model === undefined ? [] : [`--model ${shellWord(options.model)}`]),
    ...(options.pending === undefined ? [] : [`--pending ${shellWord(String(options.pending))}`]),
  ].join(' ')
