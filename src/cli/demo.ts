import type { Command } from 'commander'
import { codecs } from '../codecs/index.ts'
import { type Failure, failures } from '../failures.ts'
import { check, repair } from '../heal.ts'
import type { Strict } from '../strict/index.ts'
import { commonLines } from './common-lines.ts'
import { draw } from './draw.ts'
import { painter } from './paint.ts'
import { plain } from './plain.ts'
import { isError } from './say.ts'
import { wrap } from './wrap.ts'

export function addDemo(program: Command): void {
  program
    .command('demo')
    .summary('five real failures, before and after')
    .description(
      'Sends five failures of real systems to strict providers on this machine, each before and after healing. Reads and writes no file.',
    )
    .action(async () => {
      const { startStrict } = await import('../strict/index.ts')
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
  const before = draw(codecs[format].decode(history))
  const after = draw(codecs[format].decode(messages)).map(({ text }) => text)
  const common = commonLines(
    before.map(({ text }) => text),
    after,
  )
  const [first, second] = [await send(failure, history, strict), await send(failure, messages, strict)]
  const done = repairs.map(({ help }) => help).join(', ')
  return `${[
    `${paint('strong', `${index + 1}. ${title}`)}  ${paint('error', errors[0].rule)}`,
    ...wrap(story, 3).map(line => paint('faint', line)),
    '',
    ...wrap(`before: ${reader} answers ${first}`, 3).map(line => paint('warning', line)),
    ...before.map(({ text, places }) =>
      places.some(at => broken.has(at)) ? paint('error', ` ✗ ${text}`) : `   ${text}`,
    ),
    '',
    ...wrap(`after: ${done}; ${reader} answers ${second}`, 3).map(line => paint('fix', line)),
    ...after.map((text, at) => (common.has(at) ? `   ${text}` : paint('mended', ` ✓ ${text}`))),
  ].join('\n')}\n`
}

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
