import { expect, test } from 'vitest'
import { type Strict, startStrict } from '../../../src/strict/index.ts'
import { type FailureName, failures, healthy } from '../fetch/failures.ts'
import { chats } from './chats.ts'
import type { Question, Reader, Seam } from './version.ts'
import { version6 } from './version-6.ts'
import { version7 } from './version-7.ts'

const runs = [version6, version7].flatMap(version => [false, true].map(stream => ({ version, stream })))
const cases = runs.map(run => [`${run.version.name}${run.stream ? ', streaming' : ''}`, run] as const)

/** The failures of the demo, each with the providers that it is told of; `throws` is what the library refuses itself. */
const refused: { failure: FailureName; reader: Reader; throws?: string }[] = [
  { failure: 'orphan', reader: 'openai' },
  { failure: 'orphan', reader: 'openai-responses' },
  { failure: 'orphan', reader: 'anthropic' },
  { failure: 'split', reader: 'openai' },
  { failure: 'interrupt', reader: 'anthropic', throws: 'AI_MissingToolResultsError' },
  { failure: 'system', reader: 'qwen-template' },
  { failure: 'crash', reader: 'openai' },
  { failure: 'crash', reader: 'anthropic' },
  { failure: 'unanswered', reader: 'openai', throws: 'AI_MissingToolResultsError' },
]

test.each(cases)('[AI1] %s: what is refused without healing is answered with it', async (_, run) => {
  for (const { failure, reader, throws } of refused) {
    const name = `${failure} for ${reader}`
    const question = { reader, messages: failures[failure] }
    expectRefusal(await ask(run, { ...question, seam: 'none' }), name, throws)
    const seams: Seam[] = throws ? ['messages', 'steps'] : ['messages', 'steps', 'middleware']
    for (const seam of seams) expectAnswer(await ask(run, { ...question, seam }), `${name}, ${seam}`)
  }
})

test.each(cases)('[AI2] %s: a chat that is refused without healing is answered with it', async (_, run) => {
  for (const { name, reader, throws, mendedBy, chat } of chats) {
    const without = await ask(run, { reader, chat, seam: 'none' })
    if (mendedBy === run.version.name) expectAnswer(without, name)
    else expectRefusal(without, name, throws)
    expectAnswer(await ask(run, { reader, chat, seam: 'middleware' }), name)
  }
})

test.each(cases)('[AI3] %s: a healthy conversation is sent as without healing', async (_, run) => {
  for (const reader of ['openai', 'openai-responses', 'anthropic', 'qwen-template'] as const) {
    const [plain, ...healed] = await Promise.all(
      (['none', 'middleware', 'messages', 'steps'] as const).map(seam => ask(run, { reader, messages: healthy, seam })),
    )
    expectAnswer(plain, reader)
    for (const { bodies } of healed) expect(bodies).toEqual(plain.bodies)
  }
})

function expectRefusal({ error, verdicts }: Asked, name: string, throws: string | undefined): void {
  expect(error, name).toBeInstanceOf(Error)
  if (throws === undefined) expect(verdicts, name).toMatchObject([{ status: 400 }])
  else expect({ error, verdicts }, name).toMatchObject({ error: { name: throws }, verdicts: [] })
}

const expectAnswer = ({ error, verdicts }: Asked, name: string): void =>
  expect({ error, verdicts }, name).toEqual({ error: undefined, verdicts: ['accepted'] })

type Asked = Awaited<ReturnType<typeof ask>>

async function ask({ version, stream }: (typeof runs)[number], question: Omit<Question, 'url' | 'stream'>) {
  await using strict: Strict = await startStrict()
  const error = await version.ask({ url: strict.url, stream, ...question }).then(
    () => undefined,
    (error: unknown) => error,
  )
  const { requests } = strict
  return { error, verdicts: requests.map(({ verdict }) => verdict), bodies: requests.map(({ body }) => body) }
}
