import { expect, test } from 'vitest'
import { MemoryStore, openJournal } from '../../src/broker/index.ts'
import type { Entry } from '../../src/journal/entry.ts'
import type { Write, Written } from '../../src/journal/store.ts'

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

test('[B422] input that is submitted while its thread is being read is taken in once', async () => {
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

test('[B423] a response that is changed while it is written is kept as it was', async () => {
  const store = new MemoryStore()
  await using journal = await openJournal(store)
  const thread = journal.thread('one', { for: 'anthropic' })
  await thread.submit('Hello')
  await using turn = await thread.turn()
  const writing = new HeldBack<Written>()
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
