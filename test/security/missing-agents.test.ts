import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { chatHandler } from '../../src/integrations/ai-sdk/index.ts'
import { agent, MemoryStore, openJournal, run, type Store } from '../../src/journal/index.ts'
import { calls, says } from '../journal/contract/model.ts'

/** A store that lets other work go on, as one in a database does, and counts how often it is asked for a thread. */
function countingStore(): { store: Store; found(): number } {
  let found = 0
  const memory = new MemoryStore()
  const find = memory.find.bind(memory)
  memory.find = async name => {
    found++
    await setImmediate()
    return find(name)
  }
  return { store: memory, found: () => found }
}

/** A thread that waits for an agent, which waits for an approval. */
async function parked() {
  const { store, found } = countingStore()
  const journal = await openJournal(store)
  const thread = journal.thread('t', { for: 'openai' })
  await thread.submit('Pay')
  const pay = { approval: true, execute: () => 'paid' }
  const accountant = agent({ model: ({ step }) => (step === 0 ? calls(['pay']) : says('Paid.')), tools: { pay } })
  const model = ({ step }: { step: number }) => (step === 0 ? calls(['accountant']) : says('Done.'))
  expect(await run(thread, { model, tools: { accountant } })).toMatchObject({ status: 'parked' })
  return { journal, thread, found, model, accountant }
}

test('[SE574] a run without the agent for which a thread waits ends, also if the agent could go on', async () => {
  const { journal, thread, found, model, accountant } = await parked()
  const before = found()
  const without = () => Promise.race([run(thread, { model, tools: {} }), sleep(5_000)])
  expect(await without()).toMatchObject({ status: 'parked' })
  const [, question] = await thread.openCalls({ deep: true })
  await thread.approve(question?.id ?? '')
  expect(await without()).toMatchObject({ status: 'owned' })
  expect(found() - before).toBeLessThan(50)
  expect(await run(thread, { model, tools: { accountant } })).toMatchObject({ status: 'done' })
  await journal.close()
})

test('[SE574] a chat without the agent for which a thread waits does not keep its process busy', async () => {
  const { journal, thread, found, model } = await parked()
  const [, question] = await thread.openCalls({ deep: true })
  await thread.approve(question?.id ?? '')
  const before = found()
  const handler = chatHandler(journal, { model, thread: { for: 'openai' } })
  const response = await handler(new Request('http://site/t/stream'))
  expect(response.status).toBe(200)
  await sleep(500)
  expect(found() - before).toBeLessThan(50)
  await response.body?.cancel()
  await journal.close()
})

test('[SE575] a chat whose runs fail at once, while a client waits for an agent, does not fail without a pause', async () => {
  const { journal, thread, model } = await parked()
  const [, question] = await thread.openCalls({ deep: true })
  await thread.approve(question?.id ?? '')
  const errors: unknown[] = []
  const accountant = agent({ model, maxSteps: Number.NaN })
  const options = { model, tools: { accountant }, thread: { for: 'openai' } as const }
  const handler = chatHandler(journal, { ...options, onError: error => errors.push(error) })
  const response = await handler(new Request('http://site/t/stream'))
  const left = new AbortController()
  const read = response.body?.pipeTo(new WritableStream(), { signal: left.signal }).catch(() => {})
  await expect.poll(() => errors.length).toBeGreaterThan(0)
  await sleep(500)
  expect(errors.length).toBeLessThan(10)
  left.abort()
  await read
  await journal.close()
})
