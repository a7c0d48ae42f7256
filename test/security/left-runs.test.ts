import { expect, test } from 'vitest'
import type { ReplyContent } from '../../src/strict/index.ts'
import { eventually } from '../eventually.ts'
import { models, openScene, shapes } from '../integrations/ag-ui/scene.ts'

const story = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ')
const slow: ReplyContent = { text: story, fail: 'slow:5' }

test('[SE491] a client of agUiHandler that disconnects does not stop the answer to the input of another, which its run has begun', async () => {
  await using scene = await openScene([slow, 'Second.'])
  await scene.thread.submit('Tell me a story')
  const { agent, say, seen } = scene.agent()
  const running = say('And me?')
  await seen('TEXT_MESSAGE_CONTENT')
  agent.abortRun()
  await running
  await eventually(async () => expect((await scene.thread.status()).state).toBe('waiting'))
  expect(await scene.thread.status()).toMatchObject({ last: { turn: 1, status: 'done' }, waiting: 1 })
  await scene.agent('later').go()
  expect(scene.strict.requests.length).toBe(2)
})

test('[SE491] a client of agUiHandler that disconnects stops its answer, also if a worker gives it', async () => {
  const calling: ReplyContent = { ...slow, calls: [{ name: 'weather', input: {} }] }
  await using scene = await openScene([calling, slow], {
    model: () => expect.fail('the worker asks the model'),
    whenBusy: 'steer',
  })
  const model = models.openai(scene.strict.url)
  await using _ = scene.journal.work({
    model: request => model({ ...request, input: { tools: [] } } as never),
    tools: { weather: { execute: () => 'sunny' } },
    ...{ thread: { for: 'openai' }, pollMs: 5 },
  })
  await scene.thread.submit('How is it?')
  await eventually(async () => expect((await scene.thread.status()).state).toBe('running'))
  const { agent, say } = scene.agent()
  const running = say('Tell me a story')
  await eventually(() => expect(scene.strict.requests.length).toBe(2))
  agent.abortRun()
  await running
  await eventually(async () => expect((await scene.thread.status()).state).toBe('idle'))
  expect(await scene.thread.status()).toMatchObject({ last: { turn: 1, status: 'interrupted' } })
})

test('[SE491] a client of agUiHandler that follows the answer to another stops nothing when it disconnects', async () => {
  await using scene = await openScene([slow])
  const one = scene.agent('one')
  const first = one.say('Tell me a story')
  await one.seen('TEXT_MESSAGE_CONTENT')
  const other = scene.agent('other')
  const following = other.go()
  await other.seen('TEXT_MESSAGE_CONTENT')
  other.agent.abortRun()
  await following
  expect(await first).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
  expect(shapes(one.agent.messages)).toEqual(['user', `assistant: ${story}`])
})
