import { describe, expect, test } from 'vitest'
import { shortHash } from '../../src/core/ids.ts'
import { convert, type DialectId, heal } from '../../src/index.ts'
import { openJournal } from '../../src/journal/index.ts'

/** Ids that are what others would be renamed to: the hash of an id, of that one, and what comes when those are taken. */
function colliding(seed: string, length?: number): string[] {
  const made = (text: string): string =>
    length === undefined ? `call_${shortHash(text)}` : shortHash(text).slice(0, length)
  const first = made(seed)
  return [seed, first, made(`${seed} 1`), made(`${seed} 2`), made(first), made(`${seed} 0`), made(`call ${seed}`)]
}

const seeds = ['bad id!', '', '__proto__', 'x'.repeat(100_000), '\ud800', '\0', '../../etc', 'ä'.repeat(50)]

const chat = (ids: readonly string[]) => [
  { role: 'user', content: 'go' },
  {
    role: 'assistant',
    content: null,
    tool_calls: ids.map((id, index) => ({
      id,
      type: 'function',
      function: { name: `tool_${index}`, arguments: '{}' },
    })),
  },
  ...ids.map((id, index) => ({ role: 'tool', tool_call_id: id, content: `result ${index}` })),
]

interface Chat {
  readonly role: string
  readonly content: string
  readonly tool_call_id?: string
  readonly tool_calls?: { id: string; function: { name: string } }[]
}

/** Every call has an id of its own, and under it its own result. */
function expectPaired(messages: readonly unknown[], count: number): void {
  const all = messages as readonly Chat[]
  const calls = all.flatMap(({ tool_calls = [] }) => tool_calls)
  expect(calls).toHaveLength(count)
  expect(new Set(calls.map(({ id }) => id)).size).toBe(count)
  const results = new Map(all.filter(({ role }) => role === 'tool').map(one => [one.tool_call_id, one.content]))
  for (const call of calls) expect(results.get(call.id)).toBe(call.function.name.replace('tool_', 'result '))
}

describe('ids that were made to collide', () => {
  const readers: [DialectId, number | undefined][] = [
    ['openai', undefined],
    ['anthropic', undefined],
    ['mistral', 9],
    ['lenient', undefined],
  ]

  test.each(readers)('[SE10] with those that %s makes a result stays with its call', (reader, length) => {
    for (const seed of seeds) {
      const ids = [...new Set(colliding(seed, length))]
      for (const order of [ids, ids.toReversed()])
        expectPaired(heal(chat(order), { format: 'openai-chat', for: reader }), order.length)
    }
  })

  test('[SE10] nor do they on the way to another shape and back', () => {
    for (const seed of seeds.filter(seed => seed !== '')) {
      const order = colliding(seed)
      const ids = new Map<string, string>()
      const there = convert(chat(order), { from: 'openai-chat', to: 'anthropic', ids })
      const back = convert(there, { from: 'anthropic', to: 'openai-chat', ids })
      expectPaired(back, order.length)
    }
  })

  test('[SE10] in a journal each call has an id of its own, whatever the provider calls it', async () => {
    await using journal = await openJournal('memory:')
    const thread = journal.thread('t', { for: 'openai' })
    await thread.submit('go')
    await using turn = await thread.turn()
    if (!turn) throw new Error('there is no turn')
    const evil = ['same', 'same', 'same', '__proto__', 'constructor']
    const seen = new Set<string>()
    for (let step = 0; step < 3; step++) {
      const guessed = [...seen]
      const [, message] = chat([...evil, ...guessed])
      const calls = await turn.record({ choices: [{ message, finish_reason: 'tool_calls' }] })
      expect(calls).toHaveLength(evil.length + guessed.length)
      for (const call of calls) {
        expect(seen.has(call.id)).toBe(false)
        seen.add(call.id)
        await turn.perform(call, () => `result of ${call.name}`)
      }
    }
    const answered = (turn.messages as Chat[]).filter(({ role }) => role === 'tool')
    expect(answered).toHaveLength(seen.size)
  })
})
