import { expect, test } from 'vitest'
import type { AgUiOptions } from '../../src/integrations/ag-ui/index.ts'
import { systemClock } from '../../src/journal/clock.ts'
import { agent, run } from '../../src/journal/index.ts'
import { Journal } from '../../src/journal/journal.ts'
import type { Store } from '../../src/journal/stores/store.ts'
import { eventually } from '../eventually.ts'
import { openScene, shapes } from '../integrations/ag-ui/scene.ts'
import { calls, says } from '../journal/contract/model.ts'

/** A parent with an agent that answers when it is told to, wherever it runs. */
function family() {
  const answers = [calls(['research', { q: 'fares' }]), says('Done.')]
  let answer = (): void => {}
  let ask = (): void => {}
  const held = new Promise<void>(resolve => {
    answer = resolve
  })
  const asked = new Promise<void>(resolve => {
    ask = resolve
  })
  const research = agent({
    async model() {
      ask()
      await held
      return says('Found it.')
    },
  })
  return { options: { model: () => answers.shift(), tools: { research } }, asked, answer }
}

const whole = ['user', 'research', 'tool: Found it.', 'assistant: Done.']

test('[SE492] a run of agUiHandler whose turn waits for an agent of a worker ends when the turn has ended', async () => {
  const { options, asked, answer } = family()
  await using scene = await openScene([], options as unknown as AgUiOptions)
  await using _ = scene.journal.work({ ...options, thread: { for: 'openai' }, pollMs: 5 })
  await scene.thread.submit('Go')
  await asked
  const { agent: client, events, go } = scene.agent()
  const running = go()
  await eventually(() => expect(shapes(client.messages)).toEqual(['user', 'research']))
  // The run would have ended by then.
  await new Promise(resolve => setTimeout(resolve, 500))
  const last = events.at(-1)?.type
  answer()
  expect(last).not.toBe('RUN_FINISHED')
  expect(await running).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
  expect(shapes(client.messages)).toEqual(whole)
})

test('[SE492] a run of agUiHandler takes over an agent when the process that ran it is gone', async () => {
  const { options, asked, answer } = family()
  await using scene = await openScene([], options as unknown as AgUiOptions)
  let isGone = false
  const store = new Proxy(scene.journal.store, {
    get: (target, name: keyof Store) => {
      const method = target[name]
      if (typeof method !== 'function') return method
      const call = method as (...given: never[]) => unknown
      return (...given: never[]) => (isGone ? new Promise(() => {}) : call.apply(target, given))
    },
  })
  const other = new Journal(store, systemClock, 'other').thread('t', { for: 'openai', leaseMs: 600 })
  await other.submit('Go')
  void run(other, options).catch(() => {})
  await asked
  isGone = true
  const { agent: client, go } = scene.agent()
  const running = go()
  answer()
  expect(await running).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
  expect(shapes(client.messages)).toEqual(whole)
})

test('[SE492] a run whose turn waits for an agent that another process runs says so', async () => {
  const { options, asked, answer } = family()
  await using scene = await openScene([])
  const { thread, journal } = scene
  await thread.submit('Go')
  const worker = journal.work({ ...options, thread: { for: 'openai' }, pollMs: 5 })
  await asked
  const ended = await run(thread, options)
  answer()
  expect(ended).toEqual({ status: 'owned', turn: 1 })
  await eventually(async () => expect((await thread.status()).state).toBe('idle'))
  await worker.stop()
})
