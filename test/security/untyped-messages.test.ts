import { expect, test } from 'vitest'
import { check, repair } from '../../src/index.ts'
import { startStrict } from '../../src/strict/index.ts'
import { Random } from '../laws/random.ts'
import { post } from '../strict/http.ts'

const png = 'iVBORw0KGgo='

/** Values of every JSON type, some of which a field takes. */
const values: readonly unknown[] = [
  ...[null, true, false, 0, 1.5, '', 'x', 'call_1', [], ['a'], [1], {}, { a: 1 }, [[1]], [null]],
  ...[
    [{ type: 'text', text: 'Hi' }],
    `data:image/png;base64,${png}`,
    png,
    'https://a.example/a.png',
    'iVBOR',
    ` ${png}`,
  ],
  ...[JSON.stringify([{ function: { name: 'look', arguments: {} } }]), { function: { name: 'look', arguments: {} } }],
]

const fields = ['role', 'content', 'thinking', 'images', 'tool_calls', 'tool_name', 'tool_call_id', 'name']

/** Conversations of Ollama in which some fields have values of other types. */
function conversation(random: Random): unknown[] {
  const call = { id: 'call_1', function: { index: 0, name: 'look', arguments: { at: 1 } } }
  const messages: unknown[] = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'What is it?', images: [png] },
    { role: 'assistant', content: '', thinking: 'Hm.', tool_calls: [call] },
    { role: 'tool', tool_name: 'look', tool_call_id: 'call_1', content: 'A cat.' },
    { role: 'assistant', content: 'A cat.' },
  ].filter(() => random.chance(0.9))
  return messages.map(message => {
    if (random.chance(0.04)) return random.pick(values)
    const changed = { ...(message as object) } as Record<string, unknown>
    while (random.chance(0.3)) changed[random.pick(fields)] = random.pick(values)
    if (changed.tool_calls && random.chance(0.3))
      changed.tool_calls = [
        {
          ...call,
          ...(random.chance(0.5) ? { id: random.pick(values) } : {}),
          function: random.chance(0.5)
            ? { ...call.function, [random.pick(['index', 'name', 'arguments'])]: random.pick(values) }
            : random.pick(values),
        },
      ]
    return changed
  })
}

test('[SE360] what is healthy for Ollama is accepted, and what is rejected is made sendable and reported', async () => {
  await using strict = await startStrict()
  const ask = (messages: unknown) => post(strict, '/api/chat', { model: 'qwen3:8b', messages, stream: false })
  const options = { format: 'ollama', for: 'ollama' } as const
  const tally = { healthy: 0, rejected: 0 }
  for (let seed = 0; seed < 250; seed++) {
    const messages = conversation(new Random(seed))
    const { status } = await ask(messages)
    const isHealthy = check(messages, options).length === 0
    if (isHealthy) tally.healthy++
    if (status !== 200) tally.rejected++
    expect(isHealthy && status !== 200, `seed ${seed}: ${JSON.stringify(messages)}`).toBe(false)
    const { messages: healed, repairs, changed } = repair(messages, options)
    expect((await ask(healed)).text, `seed ${seed}: ${JSON.stringify([messages, healed])}`).not.toContain('"error"')
    expect(repairs.length > 0).toBe(changed)
    expect(repair(healed, options).changed, `seed ${seed}: ${JSON.stringify([messages, healed])}`).toBe(false)
  }
  expect(tally.healthy).toBeGreaterThan(20)
  expect(tally.rejected).toBeGreaterThan(80)
})

test('[SE360] ids that are not texts still pair, and what is removed is in the report', () => {
  const call = (id: unknown, at: number) => ({ id, function: { name: 'look', arguments: { at } } })
  const result = (id: unknown, content: string) => ({ role: 'tool', tool_call_id: id, content })
  const { messages, repairs } = repair(
    [
      { role: 'user', content: 'Go.' },
      'lost words',
      { role: 'assistant', content: '', tool_calls: [call(['a'], 1), call(['b'], 2), call(true, 3)] },
      result(true, 'three'),
      result(['b'], 'two'),
      result(['a'], 'one'),
    ],
    { format: 'ollama', for: 'ollama' },
  )
  expect(messages).toEqual([
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: '', tool_calls: [call('["a"]', 1), call('["b"]', 2), call('true', 3)] },
    result('true', 'three'),
    result('["b"]', 'two'),
    result('["a"]', 'one'),
  ])
  expect(repairs.filter(entry => entry.class === 'lossy').map(entry => JSON.stringify(entry.edits))).toEqual([
    expect.stringContaining('lost words'),
  ])
})

test('[SE360] calls that are not a list, and images in other forms of base64, are written as the API takes them', () => {
  const call = { function: { name: 'look', arguments: {} } }
  const result = { role: 'tool', tool_name: 'look', content: 'A cat.' }
  for (const calls of [call, JSON.stringify([call]), JSON.stringify(call)]) {
    const message = { role: 'assistant', content: '', tool_calls: calls }
    expect(repair([{ role: 'user', content: 'Go.' }, message, result], { format: 'ollama' }).messages[1]).toEqual({
      ...message,
      tool_calls: [call],
    })
  }
  const drawn = (image: unknown) =>
    repair([{ role: 'user', content: 'See.', images: [image] }], { format: 'ollama' }).messages[0]
  for (const image of ['iVBORw0KGgo', ' iVBORw0KGgo=', 'data:image/png;base64,iVBORw0KGgo'])
    expect(drawn(image)).toEqual({ role: 'user', content: 'See.', images: [png] })
  expect(drawn('cat.png')).toEqual({ role: 'user', content: 'See.\n\ncat.png' })
  const lost = repair([{ role: 'user', content: 'See.', images: [`${'A'.repeat(2000)}!`] }], { format: 'ollama' })
  expect(lost.messages).toEqual([{ role: 'user', content: 'See.' }])
  expect(lost.repairs.map(({ rule, class: kind }) => [rule, kind])).toContainEqual(['unreadable-part', 'lossy'])
})
