import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HttpAgent, type RunFinishedEvent } from '@ag-ui/client'
import { expect, test, vi } from 'vitest'
import { type AgUiOptions, type AgUiReport, agUiHandler } from '../../../src/integrations/ag-ui/index.ts'
import { agent, openJournal } from '../../../src/journal/index.ts'
import { type ReplyScript, startStrict } from '../../../src/strict/index.ts'
import { clientOf, models, verdicts } from './scene.ts'
import { serve } from './serve.ts'

const ask = { name: 'ask', input: { city: 'Lisbon' } }
const pay = { name: 'pay', input: { city: 'Lisbon' } }

test.each([
  { approved: true, told: 'paid Porto' },
  { approved: false, told: 'too expensive' },
])('[AG50] a question of an agent is an interrupt with its path; approved: $approved goes on', async answer => {
  await using scene = await open([{ calls: [ask] }, { calls: [pay] }, 'Paid.', 'All done.'])
  const { agent, say, go } = scene.client
  const end = (await say('Pay')) as RunFinishedEvent
  const [{ id, toolCallId }] = agent.pendingInterrupts
  const [call] = await scene.thread.openCalls()
  expect(end.outcome).toMatchObject({
    type: 'interrupt',
    interrupts: [{ id, metadata: { toolName: 'pay', input: pay.input, path: [call.id], agents: ['ask'] } }],
  })
  expect(JSON.stringify(agent.messages)).toContain(String(toolCallId))
  const { approved, told } = answer
  const payload = approved ? { approved, editedArgs: { city: 'Porto' } } : { approved, reason: told }
  const resume = [{ interruptId: id, status: 'resolved' as const, payload }]
  expect(await go({ resume })).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
  expect(agent.messages.slice(-2)).toMatchObject([{ role: 'tool', content: 'Paid.' }, { content: 'All done.' }])
  expect(JSON.stringify(scene.strict.requests[2].body)).toContain(told)
  expect(scene.execute).toHaveBeenCalledTimes(approved ? 1 : 0)
  // The same answer again changes nothing.
  expect(await go({ resume })).toMatchObject({ type: 'RUN_FINISHED', outcome: { type: 'success' } })
  expect(scene.execute).toHaveBeenCalledTimes(approved ? 1 : 0)
  expect(agent.pendingInterrupts).toEqual([])
  expect(verdicts(scene.strict)).toEqual(['accepted', 'accepted', 'accepted', 'accepted'])
  expect(scene.reports).toEqual([])
})

test('[AG50] an agent that asks again interrupts the run again, and a message with the answer joins the turn', async () => {
  const script = [{ calls: [ask] }, { calls: [pay] }, { calls: [pay] }, 'Paid.', 'All done.']
  await using scene = await open(script, { whenApproving: 'deny' })
  const { agent, say, go } = scene.client
  const approve = () =>
    agent.pendingInterrupts.map(({ id }) => ({
      ...{ interruptId: id, status: 'resolved' as const, payload: { approved: true } },
    }))
  await say('Pay')
  const [first] = agent.pendingInterrupts
  expect(await go({ resume: approve() })).toMatchObject({ outcome: { type: 'interrupt' } })
  expect(agent.pendingInterrupts).toHaveLength(1)
  expect(agent.pendingInterrupts[0].id).not.toBe(first.id)
  expect(await say('And hurry', { resume: approve() })).toMatchObject({ outcome: { type: 'success' } })
  expect(scene.execute).toHaveBeenCalledTimes(2)
  expect(agent.messages.at(-1)).toMatchObject({ content: 'All done.' })
  expect(JSON.stringify(scene.strict.requests.at(-1)?.body)).toContain('And hurry')
  expect(verdicts(scene.strict)).toEqual(script.map(() => 'accepted'))
})

/** A client of a server with an agent, which has to ask before it pays, on SQLite. */
async function open(script: ReplyScript, options: Partial<AgUiOptions> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-agents-'))
  const strict = await startStrict({ script })
  const journal = await openJournal(`sqlite:${join(folder, 'journal.db')}`)
  const model = models.openai(strict.url)
  const execute = vi.fn(({ city }: { city: string }) => `paid ${city}`)
  const reports: AgUiReport[] = []
  const handler = agUiHandler(journal, {
    model,
    thread: { for: 'openai' },
    tools: {
      ask: agent({
        model: request => model({ ...request, input: { tools: [] } } as never),
        tools: { pay: { approval: true, execute } },
      }),
    },
    onRepair: report => reports.push(report),
    ...options,
  })
  const served = await serve(handler)
  return {
    ...{ strict, execute, reports, thread: journal.thread('t', { for: 'openai' }) },
    client: clientOf(new HttpAgent({ url: served.url, threadId: 't' })),
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]()
      await strict.close()
      await journal.close()
      rmSync(folder, { recursive: true })
    },
  }
}
