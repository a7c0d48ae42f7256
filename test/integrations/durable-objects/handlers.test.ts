import { afterAll, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { bundleWorker } from '../../workerd/bundle.ts'
import { startLedger } from '../../workerd/ledger-server.ts'
import { startWorker } from '../../workerd/start-worker.ts'

const ledger = await startLedger()
const code = await bundleWorker('test/workerd/chat-worker.ts')
const worker = await startWorker(code, ['ChatObject', 'AgUiObject'], { bindings: { ledger: ledger.url } })
afterAll(async () => {
  await worker.stop()
  ledger.stop()
})

const post = (path: string, body: object) =>
  worker.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const json = async (path: string): Promise<unknown> => (await worker.fetch(path)).json()
const effects = (): number => ledger.lines.splice(0).length

const message = (text: string) => ({ id: 'm1', role: 'user', parts: [{ type: 'text', text }] })
const chat = (id: string) => ({ id, messages: [message('Charge me')], trigger: 'submit-message' })

test('[OB9] chatHandler streams an answer from an object, and refuses the id of another chat', async () => {
  const answer = await (await post('/chat/ann', chat('ann'))).text()
  expect(answer).toContain('You are charged.')
  expect(answer.trimEnd()).toMatch(/\[DONE\]$/)
  expect(await json('/chat/ann')).toMatchObject([{ role: 'user' }, { role: 'assistant' }])
  expect(effects()).toBe(1)
  expect((await post('/chat/ann', chat('bob'))).status).toBe(403)
})

test('[OB9] after a crash in a tool, the alarm ends the answer of chatHandler without a request', async () => {
  await post('/chat/cid?crash', chat('cid')).then(
    response => response.text(),
    () => {},
  )
  await eventually(async () => expect(JSON.stringify(await json('/chat/cid'))).toContain('You are charged.'))
  expect(effects()).toBe(1)
})

const input = (threadId: string) => ({
  ...{ threadId, runId: `run-${threadId}`, state: {}, tools: [], context: [], forwardedProps: {} },
  messages: [{ id: 'm1', role: 'user', content: 'Charge me' }],
})

test('[OB9] agUiHandler streams a run from an object', async () => {
  const events = await (await post('/ag-ui/dan', input('dan'))).text()
  for (const type of ['RUN_STARTED', 'TOOL_CALL_RESULT', 'TEXT_MESSAGE_CONTENT', 'RUN_FINISHED'])
    expect(events).toContain(type)
  expect(await json('/ag-ui/dan/messages')).toMatchObject([
    { role: 'user' },
    {},
    { role: 'tool' },
    { role: 'assistant' },
  ])
  expect(effects()).toBe(1)
})

test('[OB9] after a crash in a tool, the alarm ends the run of agUiHandler without a request', async () => {
  await post('/ag-ui/eve?crash', input('eve')).then(
    response => response.text(),
    () => {},
  )
  await eventually(async () => expect(JSON.stringify(await json('/ag-ui/eve/messages'))).toContain('You are charged.'))
  expect(effects()).toBe(1)
})
