import assert from 'node:assert/strict'
import { check } from 'antiphon'
import { openJournal, run } from 'antiphon/journal'

const [file] = process.argv.slice(2)
const call = { id: 'call_1', type: 'function', function: { name: 'pay', arguments: '{"amount":89}' } }
let paid = 0

/** Asks for a payment, and speaks once it has been made. */
function model({ messages }) {
  const message = messages.some(({ role }) => role === 'tool')
    ? { role: 'assistant', content: 'It is paid.' }
    : { role: 'assistant', content: null, tool_calls: [call] }
  const finish_reason = message.tool_calls ? 'tool_calls' : 'stop'
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'gpt-5',
    choices: [{ index: 0, message, finish_reason }],
  }
}

const tools = { pay: { approval: true, execute: ({ amount }) => ({ receipt: ++paid, amount }) } }

/** A turn that parks for an approval, then the file is closed. */
await withThread(async thread => {
  await thread.submit('Pay the bill.', { key: 'request-1' })
  assert.equal((await run(thread, { model, tools })).status, 'parked')
})

/** The file is opened again: the call waits there, is approved, and runs once. */
await withThread(async thread => {
  await thread.submit('Pay the bill.', { key: 'request-1' })
  const [waiting] = await thread.openCalls()
  assert.equal(paid, 0)
  await thread.approve(waiting.id)
  assert.equal((await run(thread, { model, tools })).status, 'done')
  assert.equal(paid, 1)
})

await withThread(async thread => {
  const messages = await thread.messages()
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['user', 'assistant', 'tool', 'assistant'],
  )
  assert.match(JSON.stringify(messages[2].content), /receipt/)
  assert.deepEqual(check(messages, { for: 'openai' }), [])
})

async function withThread(work) {
  const journal = await openJournal(`sqlite:${file}`)
  try {
    await work(journal.thread('user-42', { for: 'openai' }))
  } finally {
    await journal.close()
  }
}
