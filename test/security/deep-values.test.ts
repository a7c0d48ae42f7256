import { expect, test } from 'vitest'
import { agUiHandler } from '../../src/integrations/ag-ui/index.ts'
import { chatHandler } from '../../src/integrations/ai-sdk/index.ts'
import { openJournal, run } from '../../src/journal/index.ts'

/** Deeper than the stack allows any function that calls itself for each level. */
const depth = 20_000
const deep = '['.repeat(depth) + ']'.repeat(depth)

const reply = (message: object, reason = 'stop') => ({
  ...{ id: 'c', object: 'chat.completion', created: 0, model: 'm' },
  choices: [{ index: 0, finish_reason: reason, message: { role: 'assistant', content: null, ...message } }],
})
const call = (text: string) =>
  reply({ tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: text } }] }, 'tool_calls')

/** Calls a tool with the text, and then says that it is done. */
const callingModel = (text: string) => {
  let asked = 0
  return () => (++asked === 1 ? call(text) : reply({ content: 'done' }))
}

const post = (url: string, body: string): Request =>
  new Request(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

const message = (id: string, more = ''): string =>
  `{ "id": "t", "message": { "id": "${id}", "role": "user", "parts": [{ "type": "text", "text": "hi" ${more}}] } }`

test('[SE183] input that is nested too deep is refused, and the chat goes on', async () => {
  await using journal = await openJournal('memory:')
  const handler = chatHandler(journal, { model: () => reply({ content: 'done' }) })
  const refused = await handler(post('http://site/chat', message('m1', `, "more": ${deep}`)))
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { code: 'invalid-input' } })
  expect(await (await handler(post('http://site/chat', message('m2')))).text()).toContain('done')
  const cycle: unknown[] = []
  cycle.push(cycle, cycle)
  const submitted = journal.thread('c', { for: 'openai' }).submit({ role: 'user', content: [{ type: 'text', cycle }] })
  await expect(submitted).rejects.toMatchObject({ code: 'invalid-input' })
})

test.each([
  ['without an approval', false],
  ['with an approval', true],
])(
  '[SE183] a model calls a tool with arguments that are nested too deep, %s: the call is not run, and the chat can be shown',
  async (_, needsApproval) => {
    await using journal = await openJournal('memory:')
    const errors: unknown[] = []
    let runs = 0
    const tools = { look: { needsApproval, execute: () => ++runs } }
    const handler = chatHandler(journal, { model: callingModel(`{"a":${deep}}`), tools, onError: e => errors.push(e) })
    expect(await (await handler(post('http://site/chat', message('m1')))).text()).toContain('done')
    const shown = await handler(new Request('http://site/chat/t'))
    expect(shown.status).toBe(200)
    expect(await shown.text()).toContain('not a JSON object')
    expect([runs, errors]).toEqual([0, []])
  },
)

test('[SE183] a thread with such a call goes on with a provider that takes arguments as objects', async () => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('t', { for: 'openai' })
  await thread.submit('hi')
  const tools = { look: { execute: () => 'seen' } }
  expect(await run(thread, { model: callingModel(`{"a":${deep}}`), tools })).toMatchObject({ status: 'done' })
  for (const provider of ['openai', 'anthropic', 'gemini', 'bedrock'] as const)
    expect(JSON.stringify(await thread.messages({ for: provider }))).toContain('not a JSON object')
})

test('[SE183] a run of AG-UI ends, also if a model calls a tool with arguments that are nested too deep', async () => {
  await using journal = await openJournal('memory:')
  const tools = { look: { approval: true, execute: () => 'seen' } }
  const handler = agUiHandler(journal, { model: callingModel(`{"a":${deep}}`), tools })
  const input = { threadId: 't', runId: 'r', tools: [], context: [], state: {}, forwardedProps: {} }
  const body = JSON.stringify({ ...input, messages: [{ id: 'm', role: 'user', content: 'hi' }] })
  expect(await (await handler(post('http://site/run', body))).text()).toContain('RUN_FINISHED')
})

test('[SE183] a response or an output that is nested too deep is an error, and the thread goes on', async () => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('t', { for: 'anthropic' })
  const words = { role: 'assistant', stop_reason: 'end_turn', content: [{ type: 'text', text: 'done' }], usage: {} }
  const calling = (input: unknown) => ({
    ...{ role: 'assistant', stop_reason: 'tool_use', usage: {} },
    content: [{ type: 'tool_use', id: 'c1', name: 'look', input }],
  })
  const answers: unknown[] = [calling({ a: JSON.parse(deep) }), calling({}), words]
  const model = () => answers.shift()
  const tools = { look: { execute: () => JSON.parse(deep.slice(depth - 600, depth + 600)) } }
  await thread.submit('first')
  await expect(run(thread, { model, tools })).rejects.toMatchObject({ code: 'not-a-response' })
  await thread.submit('second')
  expect(await run(thread, { model, tools })).toMatchObject({ status: 'done' })
  expect(JSON.stringify(await thread.messages())).toContain('its output is nested deeper than')
})
