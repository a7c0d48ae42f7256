import type { Command } from 'commander'
import { codecs } from '../../../codecs/index.ts'
import { present } from '../../../core/invariant.ts'
import { check, repair } from '../../../heal/heal.ts'
import { healRejected, readRejection } from '../../../heal/rejections/index.ts'
import type { Strict } from '../../../strict/index.ts'
import { type Failure, failures, modelSwitch } from '../../demo-failures.ts'
import { columnsOf } from '../columns.ts'
import { commonLines } from '../common-lines.ts'
import { isError } from '../counts.ts'
import { type Drawn, draw } from '../draw.ts'
import { type Paint, painter } from '../paint.ts'
import { plain } from '../plain.ts'
import { wrap } from '../wrap.ts'

export function addDemo(program: Command): void {
  program
    .command('demo')
    .summary('show six real failures, before and after')
    .description(
      'Send six failures of real systems to strict providers on this machine, each before and after the repair. Reads and writes no files.',
    )
    .action(async () => {
      const { startStrict } = await import('../../../strict/index.ts')
      await using strict = await startStrict()
      for (const [index, failure] of failures.entries())
        process.stdout.write(`${index === 0 ? '' : '\n'}${await show(failure, index, strict)}`)
      process.stdout.write(`\n${await showSwitch(failures.length, strict)}`)
    })
}

/** What the rules find in a history before it is sent. */
async function show(failure: Failure, index: number, strict: Strict): Promise<string> {
  const { format, for: dialect, request, history } = failure
  const options = { format, for: dialect }
  const errors = check(history, options).filter(isError)
  const { messages, repairs } = repair(history, options)
  const ask = async (messages: readonly unknown[]) =>
    describeAnswer(await post(`${strict.url}/${dialect}${request.path}`, { ...request.body, messages }))
  return drawCase({
    ...{ ...failure, index, after: messages },
    rule: present(errors[0], 'every history of the demo has an error').rule,
    broken: new Set(errors.map(({ at }) => at)),
    done: repairs.map(({ help }) => help).join(', '),
    answers: [await ask(history), await ask(messages)],
  })
}

/** What only the provider can find: it is repaired using the text of the rejection. */
async function showSwitch(index: number, strict: Strict): Promise<string> {
  const { title, story, path, models, body, question, replies, result } = modelSwitch
  const options = { format: 'anthropic', for: 'anthropic' } as const
  const [first, second] = models
  const ask = (request: object) => post(`${strict.url}${path}`, request)
  strict.script([...replies].map(reply => (typeof reply === 'string' ? reply : { ...reply, calls: [...reply.calls] })))
  const answer = (await ask({ ...body, model: first, messages: [question] })).body
  const call = answer.content.find(({ type }) => type === 'tool_use')
  const results = [{ type: 'tool_result', tool_use_id: call?.id, content: result }]
  const history = [question, { role: 'assistant', content: answer.content }, { role: 'user', content: results }]
  const request = { ...body, model: second, messages: history }
  const rejected = await ask(request)
  const rejection = readRejection(rejected.status, rejected.body, options)
  if (!rejection) throw new Error(`not a known rejection: ${describeAnswer(rejected)}`)
  const healed = healRejected(request, rejection, options)
  return drawCase({
    ...{ ...options, title, story, index, history, after: healed.body.messages },
    rule: rejection.kind,
    broken: new Set(healed.repairs.map(({ at }) => at)),
    done: healed.repairs.map(({ message }) => message).join(', '),
    answers: [describeAnswer(rejected), describeAnswer(await ask(healed.body))],
  })
}

/** A failure before and after its repair, and what the provider answers to both. */
interface Case extends Pick<Failure, 'title' | 'story' | 'format' | 'for' | 'history'> {
  readonly index: number
  readonly after: readonly unknown[]
  readonly rule: string
  readonly broken: ReadonlySet<string>
  readonly done: string
  readonly answers: readonly [string, string]
}

function drawCase({ title, story, format, for: dialect, index, history, after: messages, ...found }: Case): string {
  const { rule, broken, done, answers } = found
  const paint = painter(process.stdout)
  const columns = Math.min(columnsOf(process.stdout), columnsMax)
  const drawn = (list: readonly unknown[]): Drawn[] => draw(codecs[format].decode(list), saidWidth(columns))
  const before = drawn(history)
  const after = drawn(messages)
  const isBroken = ({ places }: Drawn): boolean => places.some(at => broken.has(at))
  const common = commonLines(
    before.filter(line => !isBroken(line)).map(({ content }) => content),
    after.map(({ content }) => content),
  )
  const fold = (text: string): string[] => wrap(text, 3, columns)
  return `${[
    ...heading(`${index + 1}. ${title}`, rule, columns, paint),
    ...fold(story).map(line => paint('faint', line)),
    '',
    ...fold(`before: ${dialect} answers ${answers[0]}`).map(line => paint('warning', line)),
    ...before.map(line => (isBroken(line) ? paint('error', ` ✗ ${line.text}`) : `   ${line.text}`)),
    '',
    ...fold(`after: ${done}; ${dialect} answers ${answers[1]}`).map(line => paint('fix', line)),
    ...after.map(({ text }, at) => (common.has(at) ? `   ${text}` : paint('repaired', ` ✓ ${text}`))),
  ].join('\n')}\n`
}

/** The title and the rule in one line, or in several where the terminal is too narrow. */
function heading(title: string, rule: string, columns: number, paint: Paint): string[] {
  if (title.length + 2 + rule.length <= columns) return [`${paint('strong', title)}  ${paint('error', rule)}`]
  return [...wrap(title, 0, columns).map(line => paint('strong', line)), `   ${paint('error', rule)}`]
}

const columnsMax = 100

/** The width of a line without the mark, the role and the id. */
const saidWidth = (columns: number): number => Math.max(Math.min(columns - 24, 62), 16)

interface Answer {
  readonly status: number
  readonly body: {
    readonly error?: { readonly message: string }
    readonly content: readonly { readonly type: string; readonly id?: string }[]
  }
}

async function post(url: string, body: object): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: (await response.json()) as Answer['body'] }
}

/** The status, and the error message if the provider rejects. */
const describeAnswer = ({ status, body: { error } }: Answer): string =>
  error ? `${status}, "${plain(error.message)}"` : String(status)
