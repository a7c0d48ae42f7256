import { type Command, Option } from 'commander'
import { type CodecId, codecs } from '../../../codecs/index.ts'
import { parseExactly } from '../../../core/json/exact-json.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { inputPath } from '../../../doctor/files/input.ts'
import { convert } from '../../../heal/convert/convert.ts'
import { isError, plural } from '../counts.ts'
import { exitWith } from '../exit.ts'
import { type Flags, formatOption, forOption, jsonOption, modelOption, namesHelp, oneOf, pickOption } from '../flags.ts'
import { eachSubject, type Subject, toStderr } from '../input/subject.ts'
import { painter } from '../paint.ts'
import { plain } from '../plain.ts'
import { renderRepairs } from '../report.ts'
import { oneOfSeries } from './trim.ts'

export function addConvert(program: Command): void {
  program
    .command('convert')
    .summary('convert a history to another format')
    .description(
      'Convert a history to another format, repair it for the provider of that format, and print it as a JSON list. A report of what was lost goes to standard error.',
    )
    .argument('[file]', 'a history to read; - or none reads standard input')
    .addOption(
      new Option('--to <format>', 'the format to convert to')
        .argParser(oneOf('format', Object.keys(codecs)))
        .makeOptionMandatory(),
    )
    .addOption(forOption('the provider of the new format'))
    .addOption(formatOption())
    .addOption(modelOption())
    .addOption(pickOption())
    .addOption(jsonOption('one JSON object'))
    .addHelpText(
      'after',
      `
${namesHelp}
Examples:
  antiphon convert --to anthropic chat.json > claude.json
  antiphon convert --to openai-chat --for mistral chat.json

Exit codes: 0 converted; 1 errors remain; 2 unreadable, or a wrong option.`,
    )
    .action(convertFile)
}

interface ConvertFlags extends Flags {
  readonly to: CodecId
}

async function convertFile(file = '-', { to, for: dialect, ...flags }: ConvertFlags): Promise<void> {
  const visit = (subject: Subject, begin: (work: string) => void): void => {
    const { input, history, options, plan, foundIn } = subject
    if (foundIn?.isSeries) throw oneOfSeries(inputPath(input), foundIn.kind, foundIn.at)
    const { for: _for, format: _format, continues: _continues, ...choices } = options
    let repairs: readonly Repair[] = []
    const messages = convert(history, {
      ...choices,
      ...(dialect === undefined ? {} : { for: dialect }),
      ...{ from: plan.codec.id as CodecId, to },
      onRepair: report => {
        repairs = report.repairs
        if (report.remaining.some(isError)) exitWith('errors')
      },
    })
    begin('writing')
    process.stdout.write(`${JSON.stringify(messages, undefined, 2)}\n`)
    if (flags.json) toStderr(`${JSON.stringify({ file: inputPath(input), format: plan.codec.id, to, repairs })}\n`)
    else {
      const context = { input, excerpt: undefined, paint: painter(process.stderr), all: false }
      const from = foundIn ? [`${plain(inputPath(input))}: ${plain(foundIn.note)}`] : []
      const ending = `${plain(input.name)}: ${plural(history.length, 'message')} in ${plan.codec.id} -> ${messages.length} in ${to}`
      toStderr(`${[...from, ...renderRepairs(repairs, context), ending].join('\n')}\n`)
    }
  }
  await eachSubject([file], flags, parseExactly, { work: 'converting', visit }, toStderr)
}
