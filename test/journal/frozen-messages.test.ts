import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openJournal, run } from '../../src/journal/index.ts'
import { FrozenMessages } from '../../src/journal/render/frozen-messages.ts'
import { calls, says } from './contract/model.ts'
import { taken } from './contract/turn.ts'

const content = fc.letrec(tie => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.string({ maxLength: 3 }),
    fc.constant(null),
    fc.uint8Array({ maxLength: 3 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('role', 'content', 'id', '__proto__'), tie('value'), { noNullPrototype: true }),
  ),
})).value

test('[B620] frozen messages say the same at every read, whatever a caller tries', () => {
  fc.assert(
    fc.property(fc.array(content), fc.array(content), fc.nat(), (messages, more, some) => {
      const frozen = new FrozenMessages()
      const all = [...messages, ...more]
      const said = structuredClone(all)
      const growing = [...messages]
      const settled = Math.min(some, messages.length)
      const read = (list: readonly unknown[]) => {
        const given = frozen.read(list, list === growing ? settled : 0)
        expect(given).toStrictEqual([...list])
        for (const message of given) spoil(message)
        given.length = 0
        expect(all).toStrictEqual(said)
      }
      read(growing)
      // After what has settled, a list may change.
      growing.splice(settled, growing.length, ...all.slice(settled).toReversed())
      for (const list of [growing, all, messages, all.toReversed(), growing]) read(list)
    }),
  )
})

/** Changes everything that can be changed. */
function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (value instanceof Uint8Array) {
    value.fill(7)
    return
  }
  for (const field of Object.values(value)) spoil(field)
  for (const key of Object.keys(value)) Reflect.deleteProperty(value, key)
  Reflect.set(value, 'marked', true)
}

test('[B621] with frozen messages a mark throws, the list is the caller’s own, and requests are those of copies', async () => {
  const seen: Record<string, unknown[]> = {}
  for (const messages of ['copies', 'frozen'] as const) {
    const journal = await openJournal('memory:')
    const thread = journal.thread('t', { messages })
    const requests: unknown[] = []
    seen[messages] = requests
    for (const text of ['one', 'two', 'three']) {
      await thread.submit(text)
      let asked = 0
      await run(thread, {
        model: ({ messages: given }: { messages: unknown[] }) => {
          requests.push(structuredClone(given))
          const tryMark = () => Object.assign(given[0] as object, { cache_control: { type: 'ephemeral' } })
          if (messages === 'frozen') expect(tryMark).toThrow(TypeError)
          else tryMark()
          given.unshift({ role: 'user', content: 'before all' })
          return asked++ === 0 ? calls(['look', { at: { deep: ['down'] } }, `call_${text}`]) : says('Seen.')
        },
        tools: { look: { execute: () => ({ cats: ['Tom'] }) } },
      })
    }
    const [one, other] = [await thread.messages(), await thread.messages()]
    expect(one).not.toBe(other)
    expect(one[0] === other[0]).toBe(messages === 'frozen')
    expect(JSON.stringify(other)).not.toMatch(/cache_control|before all/)
    await journal.close()
  }
  expect(seen.frozen).toHaveLength(6)
  expect(seen.frozen).toEqual(seen.copies)
})

test('[B621] bytes in frozen messages are copied for every read', async () => {
  const journal = await openJournal('memory:')
  const thread = journal.thread('t', { for: 'lenient', format: 'ai-sdk', messages: 'frozen' })
  await thread.submit({ role: 'user', content: [{ type: 'image', image: new Uint8Array([1, 2, 3]) }] })
  const turn = await taken(thread)
  const imageOf = (messages: unknown[]) => (messages as { content: { image: Uint8Array }[] }[])[0].content[0].image
  imageOf(turn.messages).fill(9)
  expect([...imageOf(turn.messages)]).toEqual([1, 2, 3])
  await turn.finish()
})
