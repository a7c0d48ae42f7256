import { describe, expect, test } from 'vitest'
import { healRejected, type Rejection, readRejection } from '../../src/heal/rejections/index.ts'
import { healLearnt, RejectionMemory } from '../../src/heal/rejections/lessons.ts'
import { rejectionRepairs } from '../../src/heal/rejections/repairs/index.ts'

const rejectionFor = (repair: string, more: Partial<Rejection> = {}): Rejection => ({
  ...{ kind: 'parameter', id: 'any', status: 400, text: 'any', repair, paths: [['messages', 1, 'content', 0]] },
  ...more,
})

function nested(levels: number): unknown {
  let value: unknown = { a: 'text' }
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { value }
  return value
}

const toolUse = (input: unknown) => ({
  model: 'some-model',
  messages: [
    { role: 'user', content: 'look' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: 'look', input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'found' }] },
  ],
  tools: [{ name: 'look', description: 'any', input_schema: { type: 'object', properties: {} } }],
})

describe('[SE85] a repair after a rejection ends, whatever the request and the rejection say', () => {
  test('a request of any depth, by every repair', () => {
    for (const levels of [200, 510, 6_000, 100_000]) {
      const body = toolUse(nested(levels))
      for (const repair of Object.keys(rejectionRepairs)) healRejected(body, rejectionFor(repair, { limit: 3 }))
    }
  })

  test('a request of any depth, repaired for what was learnt', () => {
    const [before, after] = [toolUse(nested(100_000)), toolUse({})]
    const memory = new RejectionMemory()
    const rejection = readRejection(400, 'messages.1.content.0: Invalid `signature` in `thinking` block') as Rejection
    memory.learn('here', 'some-model', rejection, before, after)
    expect(memory.recall('here')).toBeUndefined()
    expect(healLearnt(before, { rejections: [], marks: ['any'] }, {})).toMatchObject({ body: before, changed: false })
  })

  test('a rejection of any depth', () => {
    expect(readRejection(400, nested(100_000))).toBeUndefined()
    expect(readRejection(400, { error: nested(100_000), message: 'any' })).toBeUndefined()
  })

  test.each([0, 1, -1])('a limit of %d calls in a message', limit => {
    const numbers = [1, 2, 3]
    const body = {
      model: 'some-model',
      messages: [
        { role: 'user', content: 'look' },
        {
          role: 'assistant',
          content: null,
          tool_calls: numbers.map(at => ({
            id: `c${at}`,
            type: 'function',
            function: { name: 'look', arguments: '{}' },
          })),
        },
        ...numbers.map(at => ({ role: 'tool', tool_call_id: `c${at}`, content: `found ${at}` })),
      ],
    }
    const { body: healed } = healRejected(body, rejectionFor('call-count', { limit, paths: [] }))
    expect(healed.messages.map(({ role }) => role).join(' ')).toBe('user assistant tool assistant tool assistant tool')
  })
})
