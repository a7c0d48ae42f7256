import type { Command } from 'commander'
import { codecs } from '../codecs/index.ts'
import { check, repair } from '../heal.ts'
import { commonLines } from './common-lines.ts'
import { type Failure, failures } from './demo-histories.ts'
import { draw } from './draw.ts'
import { painter } from './paint.ts'
import { isError } from './say.ts'
import { wrap } from './wrap.ts'

export function addDemo(program: Command): void {
  program
    .command('demo')
    .summary('five real failures, before and after')
    .description('Shows five failures of real systems, each before and after healing. Reads and writes no file.')
    .action(() => {
      process.stdout.write(failures.map(show).join('\n'))
    })
}

function show(failure: Failure, index: number): string {
  const { title, story, format, for: reader, history } = failure
  const paint = painter(process.stdout)
  const options = { format, for: reader }
  const errors = check(history, options).filter(isError)
  const { messages, repairs } = repair(history, options)
  const broken = new Set(errors.map(({ at }) => at))
  const before = draw(codecs[format].decode(history))
  const after = draw(codecs[format].decode(messages)).map(({ text }) => text)
  const common = commonLines(
    before.map(({ text }) => text),
    after,
  )
  return `${[
    `${paint('strong', `${index + 1}. ${title}`)}  ${paint('error', errors[0].rule)}`,
    ...wrap(story, 3).map(line => paint('faint', line)),
    '',
    ...wrap(`before: ${reader} answers "${errors[0].refusal?.trim()}"`, 3).map(line => paint('warning', line)),
    ...before.map(({ text, places }) =>
      places.some(at => broken.has(at)) ? paint('error', ` ✗ ${text}`) : `   ${text}`,
    ),
    '',
    ...wrap(`after: ${repairs.map(({ help }) => help).join(', ')}`, 3).map(line => paint('fix', line)),
    ...after.map((text, at) => (common.has(at) ? `   ${text}` : paint('mended', ` ✓ ${text}`))),
  ].join('\n')}\n`
}
