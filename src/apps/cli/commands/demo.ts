import type { Command } from 'commander'
import { codecs } from '../../../codecs/index.ts'
import { check, repair } from '../../../heal/heal.ts'
import type { Strict } from '../../../strict/index.ts'
import { type Failure, failures } from '../../demo-failures.ts'
import { columnsOf } from '../columns.ts'
import { commonLines } from '../common-lines.ts'
import { type Drawn, draw } from '../draw.ts'
import { type Paint, painter } from '../paint.ts'
import { plain } from '../plain.ts'
import { isError } from '../say.ts'
import { wrap } from '../wrap.ts'

export function addDemo(program: Command): void {
  program
    .command('demo')
    .summary('show five real failures, before and after')
    .description(
      'Send five failures of real systems to strict providers on this machine, each before and after the repair. Reads and writes no files.',
    )
    .action(async () => {
      const { startStrict } = await import('../../../strict/index.ts')
      await using strict = await startStrict()
      for (const [index, failure] of failures.entries())
        process.stdout.write(`${index === 0 ? '' : '\n'}${await show(failure, index, strict)}`)
    })
}

async function show(failure: Failure, index: number, strict: Strict): Promise<string> {
  const { title, story, format, for: reader, history } = failure
  const paint = painter(process.stdout)
  const options = { format, for: reader }
  const errors = check(history, options).filter(isError)
  const { messages, repairs } = repair(history, options)
  const broken = new Set(errors.map(({ at }) => at))
  const columns = Math.min(columnsOf(process.stdout), columnsMax)
  const [before, after] = [history, messages].map(list => draw(codecs[format].decode(list), saidWidth(columns)))
  const isBroken = ({ places }: Drawn): boolean => places.some(at => broken.has(at))
  const common = commonLines(
    before.filter(line => !isBroken(line)).map(({ said }) => said),
    after.map(({ said }) => said),
  )
  const fold = (text: string): string[] => wrap(text, 3, columns)
  const [first, second] = [await send(failure, history, strict), await send(failure, messages, strict)]
  const done = repairs.map(({ help }) => help).join(', ')
  return `${[
    ...heading(`${index + 1}. ${title}`, errors[0].rule, columns, paint),
    ...fold(story).map(line => paint('faint', line)),
    '',
    ...fold(`before: ${reader} answers ${first}`).map(line => paint('warning', line)),
    ...before.map(line => (isBroken(line) ? paint('error', ` ✗ ${line.text}`) : `   ${line.text}`)),
    '',
    ...fold(`after: ${done}; ${reader} answers ${second}`).map(line => paint('fix', line)),
    ...after.map(({ text }, at) => (common.has(at) ? `   ${text}` : paint('repaired', ` ✓ ${text}`))),
  ].join('\n')}\n`
}

/** The title and the rule in one line, or in several where the terminal is too narrow. */
function heading(title: string, rule: string, columns: number, paint: Paint): string[] {
  if (title.length + 2 + rule.length <= columns) return [`${paint('strong', title)}  ${paint('error', rule)}`]
  return [...wrap(title, 0, columns).map(line => paint('strong', line)), `   ${paint('error', rule)}`]
}

const columnsMax = 100

/** What is left of a line beside the mark, the role and the id. */
const saidWidth = (columns: number): number => Math.max(Math.min(columns - 24, 62), 16)

/** What the provider says to the history: the status, and its words if it refuses. */
async function send({ for: reader, request }: Failure, messages: readonly unknown[], { url }: Strict): Promise<string> {
  const response = await fetch(`${url}/${reader}${request.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...request.body, messages }),
  })
  const { error } = (await response.json()) as { error?: { message: string } }
  return error ? `${response.status}, "${plain(error.message)}"` : String(response.status)
}
