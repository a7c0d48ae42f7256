import { expect, test } from 'vitest'
import { agent, MemoryStore, openJournal, run } from '../../src/journal/index.ts'
import type { Store } from '../../src/journal/stores/store.ts'

/** A store on which something happens before or after some operations. */
function withHooks(
  store: Store,
  hooks: Partial<Record<keyof Store, (work: () => unknown, name: unknown) => unknown>>,
): Store {
  return new Proxy(store, {
    get(target, operation: keyof Store) {
      const value = target[operation]
      if (typeof value !== 'function') return value
      return (...args: never[]) => {
        const work = (): unknown => (value as (...args: never[]) => unknown).apply(target, args)
        return hooks[operation]?.(work, args[0]) ?? work()
      }
    },
  })
}

const says = (message: object) => ({
  ...{ id: 'response', object: 'chat.completion' },
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: null, ...message } }],
})

test('[SE383] a turn goes on if the thread of its agent is erased while the agent gets its input', async () => {
  const store = new MemoryStore()
  let hasInput = (): void => {}
  const input = new Promise<void>(resolve => {
    hasInput = resolve
  })
  // Another process begins to erase the thread when it is empty, and fences it when it has its input.
  const eraser = await openJournal(withHooks(store, { erase: work => input.then(work) }))
  let erasing: Promise<unknown> | undefined
  const journal = await openJournal(
    withHooks(store, {
      async open(work, name) {
        const row = await work()
        if (!String(name).includes('/agent:') || erasing) return row
        erasing = eraser.thread(String(name)).erase()
        await new Promise(setImmediate)
        return row
      },
      async write(work) {
        const written = await work()
        if (erasing) hasInput()
        return written
      },
    }),
  )
  const thread = journal.thread('t', { for: 'openai' })
  await thread.submit('Go')
  const call = { id: 'call-1', type: 'function', function: { name: 'find', arguments: '{"task":"Look"}' } }
  const model = async ({ messages }: { messages: unknown[] }) =>
    says((messages.at(-1) as { role: string }).role === 'tool' ? { content: 'Done.' } : { tool_calls: [call] })
  const find = agent({ model: async () => says({ content: 'Found.' }) })
  await run(thread, { model, tools: { find } })
  await erasing
  await run(thread, { model, tools: { find } })
  expect(await thread.status()).toMatchObject({ state: 'idle', openCalls: 0 })
})
