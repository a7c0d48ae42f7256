import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agUiHandler } from '../../src/integrations/ag-ui/index.ts'
import { agent, openJournal, run, type Tools } from '../../src/journal/index.ts'
import { antiphon, folder } from '../apps/cli/program.ts'
import { eventually } from '../eventually.ts'
import { later } from '../journal/contract/later.ts'
import { forever, says, scripted } from '../journal/contract/model.ts'

const post = (signal?: AbortSignal): Request =>
  new Request('http://site/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'Go' }] }),
    ...(signal && { signal }),
  })

/** One call of an agent, and then an answer. */
const asking = () => scripted([['find', { task: 'Look' }]], 'It is here.')

test('[SE200] agUiHandler runs the agents of a turn, so that the turn goes on', async () => {
  await using journal = await openJournal('memory:')
  const errors: unknown[] = []
  const tools = { find: agent({ model: scripted('Found.') }) }
  const handler = agUiHandler(journal, { model: asking(), tools, onError: error => errors.push(error) })
  const text = await (await handler(post())).text()
  expect(text).toContain('It is here.')
  expect(text).toContain('"outcome":{"type":"success"}')
  expect(await journal.thread('t').status()).toMatchObject({ state: 'idle', last: { status: 'done' } })
  expect(errors).toEqual([])
})

test('[SE200] a client of agUiHandler that leaves stops its turn and the agents of it', async () => {
  await using journal = await openJournal('memory:')
  const begun = later<AbortSignal>()
  const model = async ({ signal }: { signal: AbortSignal }) => {
    begun.keep(signal)
    return forever
  }
  const tools = { find: agent({ model }) }
  const handler = agUiHandler(journal, { model: asking(), tools })
  const client = new AbortController()
  const { body } = await handler(post(client.signal))
  const reading = new Response(body).text().catch(() => '')
  const signal = await begun.promise
  client.abort()
  await eventually(async () =>
    expect(await journal.thread('t').status()).toMatchObject({ state: 'idle', last: { status: 'interrupted' } }),
  )
  await eventually(() => expect(signal.aborted).toBe(true))
  await reading
})

test('[SE201] an agent that is erased while it runs does not fail the run of the thread that called it', async () => {
  await using journal = await openJournal('memory:')
  const begun = later<void>()
  const model = async ({ signal }: { signal: AbortSignal }) => {
    begun.keep()
    await new Promise(resolve => signal.addEventListener('abort', resolve))
    return says('Too late.')
  }
  const thread = journal.thread('t')
  await thread.submit('Go')
  const running = run(thread, { model: asking(), tools: { find: agent({ model }) } })
  await begun.promise
  const [call] = await thread.openCalls()
  await thread.child(call?.id ?? '').erase()
  expect(await running).toEqual({ status: 'done', turn: 1 })
})

test('[SE201] `antiphon erase` of an agent gives its call a placeholder, so that its turn goes on', async () => {
  const file = join(folder(), 'chat.db')
  await using journal = await openJournal(`sqlite:${file}`)
  const thread = journal.thread('t')
  await thread.submit('Go')
  const tools = { find: agent({ model: scripted([['pay']]), tools: { pay: { approval: true } } }) }
  const model = asking()
  expect(await run(thread, { model, tools })).toEqual({ status: 'parked', turn: 1 })
  const [call] = await thread.openCalls()
  expect(await antiphon(['erase', file, `t/agent:${call?.id}`])).toMatchObject({ code: 0, stderr: '' })
  expect(await run(thread, { model, tools })).toEqual({ status: 'done', turn: 1 })
  expect(JSON.stringify(await thread.messages())).toContain('erased')
})

test('[SE206] calls of agents beyond the limit are counted in linear time', async () => {
  await using journal = await openJournal('memory:')
  let looks = 0
  const find = agent({ model: async () => says('Found.') })
  const tools = new Proxy({ find } as Tools, {
    getOwnPropertyDescriptor(target, name) {
      looks++
      return Reflect.getOwnPropertyDescriptor(target, name)
    },
  })
  const thread = journal.thread('t')
  await thread.submit('Go')
  const many = Array.from({ length: 400 }, () => ['find', { task: 'Look' }] as const)
  expect(await run(thread, { model: scripted(many, 'Done.'), tools })).toEqual({ status: 'done', turn: 1 })
  const texts = JSON.stringify(await thread.messages())
  expect(texts.split('Found.').length - 1).toBe(16)
  expect(texts.split('At most 16 agents').length - 1).toBe(384)
  expect(looks).toBeLessThan(20 * 400)
})
