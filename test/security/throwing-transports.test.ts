import { expect, test } from 'vitest'
import { LocalBus, openJournal, run } from '../../src/journal/index.ts'
import { says } from '../journal/contract/model.ts'

test('[SE571] a transport whose publish throws fails no write', async () => {
  const transport = new LocalBus().transport()
  transport.publish = () => {
    throw new Error('the connection is closed')
  }
  await using journal = await openJournal('memory:', { live: transport })
  const thread = journal.thread('t', { for: 'openai' })
  await thread.submit('Hello', { key: 'first' })
  expect(await run(thread, { model: () => says('Hello.') })).toMatchObject({ status: 'done' })
  expect(await thread.messages()).toHaveLength(2)
})
