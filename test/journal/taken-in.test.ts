import { expect, test } from 'vitest'
import type { Entry } from '../../src/journal/entry.ts'
import { MemoryStore, openJournal, run } from '../../src/journal/index.ts'
import type { Write, WriteResult } from '../../src/journal/stores/store.ts'

/** Holds back the answers of a store. */
class HeldBack<Answer> {
  release = (): void => {}
  #reach = (): void => {}
  readonly #free = new Promise<void>(resolve => {
    this.release = resolve
  })
  readonly asked = new Promise<void>(resolve => {
    this.#reach = resolve
  })

  async after(ask: () => Promise<Answer>): Promise<Answer> {
    this.#reach()
    await this.#free
    return ask()
  }
}

test('[B422] input submitted while its thread is being read is applied once', async () => {
  const store = new MemoryStore()
  await using journal = await openJournal(store)
  const thread = journal.thread('one')
  await thread.submit('First')
  await thread.status()
  const reading = new HeldBack<Entry[]>()
  const read = store.read.bind(store)
  store.read = (key, after, limit) => reading.after(() => read(key, after, limit))
  const status = thread.status()
  await reading.asked
  await thread.submit('Second')
  reading.release()
  expect((await status).waiting).toBe(2)
})

test('[B423] a response that is changed while it is being written is stored as it was', async () => {
  const store = new MemoryStore()
  await using journal = await openJournal(store)
  const thread = journal.thread('one', { for: 'anthropic' })
  await thread.submit('Hello')
  await using turn = await thread.turn()
  const writing = new HeldBack<WriteResult>()
  const write = store.write.bind(store)
  store.write = (entry: Write) => {
    const written = write(entry)
    return writing.after(() => written)
  }
  const text = { type: 'text', text: 'Good morning' }
  const response = { type: 'message', role: 'assistant', content: [text], stop_reason: 'end_turn', model: 'claude' }
  const recorded = turn?.record(response)
  await writing.asked
  text.text = 'Changed'
  writing.release()
  await recorded
  expect(await thread.messages()).toEqual(await journal.thread('one', { for: 'anthropic' }).messages())
  expect(JSON.stringify(await thread.messages())).toContain('Good morning')
})

const message = (...content: object[]) => {
  const stop_reason = content.some(part => 'input' in part) ? 'tool_use' : 'end_turn'
  return { type: 'message', role: 'assistant', model: 'claude', stop_reason, content }
}
const price = (id: string) => ({ type: 'tool_use', id, name: 'price', input: {} })
const text = (words: string) => ({ type: 'text', text: words })
const spoil = ({ content }: { content: unknown }) => Object.assign(content as object, { eur: 'spoilt' })

test('[B424] changing a result object of an event or a settlement does not change what the model gets', async () => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('one', { for: 'anthropic' })
  const answers = [message(price('toolu_1')), message(text('Dear'))]
  const calls: string[] = []
  await thread.submit('What is it?')
  await run(thread, {
    model: () => answers.shift(),
    tools: { price: { execute: () => ({ eur: 89 }) } },
    onEvent(event) {
      if (event.kind !== 'result') return
      calls.push(event.call)
      spoil(event.outcome)
    },
  })
  // Each draws the thread for the first time.
  const heard = async (by: 'openai' | 'mistral') => JSON.stringify(await thread.messages({ for: by }))
  expect(await heard('openai')).toContain('{\\"eur\\":89}')
  spoil((await thread.settle(calls[0], 'too late')).outcome)
  expect(await heard('mistral')).toContain('{\\"eur\\":89}')
})

test('[B424] nor does it matter what is done to an outcome that was there before, or to a note', async () => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('one', { for: 'anthropic', lateResults: 'tell' })
  await thread.submit('What is it?')
  await using turn = await thread.turn()
  if (!turn) return expect.fail('there is something to do')
  const [first, second] = await turn.record(message(price('toolu_1'), price('toolu_2')))
  await thread.settle(first.id, { eur: 89 })
  spoil(await turn.perform(first, () => 'nobody asks'))
  await turn.start(second)
  await turn.settleAs(second, { status: 'made-up', state: 'interrupted', content: 'stopped' })
  await turn.record(message(text('Dear')))
  await thread.settle(second.id, { eur: 98 })
  for (const { outcome } of await thread.notes()) spoil(outcome)
  await thread.submit('And now?')
  await using next = await thread.turn()
  const heard = JSON.stringify(next?.messages)
  expect(heard).toContain('{\\"eur\\":89}')
  expect(heard).toContain('{\\"eur\\":98}')
})
