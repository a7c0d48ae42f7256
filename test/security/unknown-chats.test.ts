import { expect, test } from 'vitest'
import { chatHandler } from '../../src/integrations/ai-sdk/index.ts'
import { openJournal } from '../../src/journal/index.ts'

test.each([
  ['GET', '/unknown', 200],
  ['GET', '/unknown/stream', 204],
  ['GET', '/unknown/branches', 200],
  ['DELETE', '/unknown/stream', 200],
  ['PUT', '/unknown?branch=1', 404],
])('[SE243] %s %s of chatHandler creates no thread', async (method, path, status) => {
  await using journal = await openJournal('memory:')
  const handle = chatHandler(journal, { model: () => Promise.reject(new Error('not asked')) })
  const response = await handle(new Request(`http://localhost/chats${path}`, { method }))
  expect(response.status).toBe(status)
  expect(await journal.store.find('unknown')).toBeUndefined()
})
