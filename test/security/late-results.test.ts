import { describe, expect, test } from 'vitest'
import { createHealer, heal, repair } from '../../src/index.ts'

const call = (id: string) => ({ id, type: 'function', function: { name: 'pay', arguments: '{}' } })

/** A turn was interrupted, and the result arrives in the next turn with an id that a gateway has rewritten. */
const rewritten = [
  { role: 'user', content: 'Pay the bill.' },
  { role: 'assistant', content: null, tool_calls: [call('call_abcdef123')] },
  { role: 'assistant', content: 'One moment.' },
  { role: 'user', content: 'Are you done?' },
  { role: 'tool', tool_call_id: 'toolu_abcdef123', name: 'pay', content: 'paid' },
  { role: 'assistant', content: 'Yes.' },
]

/** A call was stored twice, and the result of the second one has another id. */
const doubled = [
  { role: 'user', content: 'Pay both bills.' },
  { role: 'assistant', content: null, tool_calls: [call('call_1'), call('call_1')] },
  { role: 'tool', tool_call_id: 'call_1', content: 'paid' },
  { role: 'assistant', content: 'One moment.' },
  { role: 'user', content: 'Are you done?' },
  { role: 'tool', tool_call_id: 'call_2', name: 'pay', content: 'paid as well' },
  { role: 'assistant', content: 'Yes.' },
]

const more = Array.from({ length: 40 }, (_, at) => [
  { role: 'user', content: `Question ${at}?` },
  { role: 'assistant', content: `Answer ${at}.` },
]).flat()

describe.each([
  ['a similar id', rewritten],
  ['the name of its call', doubled],
])('[SE632] a result that is paired by %s in a later turn', (_, history) => {
  const options = { for: 'openai', onRepair: () => {} } as const

  test('is paired in the same way when the history is longer', () => {
    const short = heal(history, options)
    expect(repair(history, options).repairs.some(({ rule }) => rule === 'orphan-result')).toBe(false)
    expect(heal([...history, ...more], options).slice(0, short.length)).toEqual(short)
  })

  test('is paired in the same way in a growing history', () => {
    for (const whole of [history, [...history, ...more]]) {
      const healer = createHealer(options)
      for (const message of whole) {
        healer.push(message)
        expect(healer.history.length).toBeGreaterThan(0)
      }
      expect(healer.history).toEqual(heal(whole, options))
    }
  })
})
