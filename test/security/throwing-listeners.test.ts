import { expect, test, vi } from 'vitest'
import { type AgUiOptions, agUiHandler } from '../../src/integrations/ag-ui/index.ts'
import { openJournal, run } from '../../src/journal/index.ts'
import { chunks, stream } from '../journal/contract/model.ts'

test.each(['model', 'threads'])(
  '[SE493] an `errorText` of agUiHandler that throws ends the run like any other: %s',
  async what => {
    await using journal = await openJournal('memory:')
    const onError = vi.fn()
    const options: AgUiOptions = {
      model: () => {
        throw new Error('overloaded')
      },
      errorText: () => {
        throw new Error('no text')
      },
      onError,
    }
    const store = { ...journal, thread: () => expect.fail('the thread cannot be opened') } as unknown as typeof journal
    const handler = agUiHandler(what === 'model' ? journal : store, options)
    const input = { threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'Hi' }] }
    const headers = { 'content-type': 'application/json' }
    const request = new Request('http://site', { method: 'POST', headers, body: JSON.stringify(input) })
    // Without an end the stream would say nothing more, and its rejection would end the process.
    const events = await (await handler(request)).text()
    expect(events).toContain('"type":"RUN_ERROR","message":"The run failed."')
    expect(onError.mock.calls.map(([error]) => error.message)).toContain('no text')
  },
)

test.each(['delta', 'input-admit', 'turn-start'])(
  '[SE494] a listener of `thread.follow` that throws does not cut an answer, and gets all that follows: %s',
  async kind => {
    await using journal = await openJournal('memory:')
    const thread = journal.thread('t', { for: 'openai' })
    await thread.submit('Hi')
    const heard: string[] = []
    const other: string[] = []
    thread.follow(item => {
      heard.push(item.kind)
      if (item.kind === kind) throw new Error('the socket is closed')
    })
    thread.follow(item => other.push(item.kind))
    const warned = new Promise(resolve => process.once('warning', resolve))
    await run(thread, { model: () => stream(chunks(['Hello ', 'there.'])) })
    expect(await thread.messages()).toMatchObject([{}, { role: 'assistant', content: 'Hello there.' }])
    expect(heard).toContain('delta')
    expect(heard).toEqual(other)
    expect(await warned).toMatchObject({ code: 'ANTIPHON_LISTENER', message: expect.stringContaining('socket') })
  },
)
