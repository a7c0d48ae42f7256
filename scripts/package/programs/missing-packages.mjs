import assert from 'node:assert/strict'
import { agUiHandler } from 'antiphon/adapters/ag-ui'
import { openCheckpointer } from 'antiphon/adapters/langchain'
import { openJournal } from 'antiphon/journal'

await mustName('pg', () => openJournal('postgres://127.0.0.1/x'))
await mustName('ioredis', () => openJournal('memory:', { live: 'redis://127.0.0.1' }))
await mustName('@langchain/langgraph-checkpoint', () => openCheckpointer('memory:'))
const journal = await openJournal('memory:')
await mustName('@ag-ui/encoder', () => new Promise((_, reject) => askForBytes(reject)))
await journal.close()

/** Only protobuf needs a package of AG-UI. */
function askForBytes(onError) {
  const handler = agUiHandler(journal, { model: () => {}, onError })
  const body = JSON.stringify({ threadId: 't', runId: 'r', messages: [] })
  const headers = { accept: 'application/vnd.ag-ui.event+proto' }
  return handler(new Request('http://localhost', { method: 'POST', body, headers }))
}

/** Fails with an error of its own that says in one line which package to install. */
async function mustName(name, work) {
  const error = await work().then(
    () => assert.fail(`it does without ${name}`),
    error => error,
  )
  assert.equal(error.code, 'missing-package', String(error))
  assert.ok(error.message.includes(name) && !error.message.includes('\n'), error.message)
  assert.match(error.hint, new RegExp(`^run: npm install .*${name}`))
}
