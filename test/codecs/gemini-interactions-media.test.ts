import { describe, expect, test } from 'vitest'
import { convert, heal, type Repair, repair } from '../../src/index.ts'

const words = (text: string) => ({ type: 'text', text })
const image = (data: string) => ({ type: 'image', mime_type: 'image/png', data })
const says = (...content: unknown[]) => ({ type: 'model_output', content })
const asks = (text: string) => ({ type: 'user_input', content: [words(text)] })
const call = { type: 'function_call', id: 'a1', name: 'look', arguments: {} }
const options = { for: 'gemini-interactions', model: 'gemini-2.5-flash' } as const

describe('a step of the model with text and media', () => {
  const steps = [asks('Draw.'), says(words('Here:'), image('AAAA'), words('And:')), says(image('BBBB'), image('CCCC'))]

  test('is converted with both', () => {
    const [, { parts }] = convert(steps, { to: 'gemini' }) as unknown as [unknown, { parts: unknown[] }]
    const drawn = (data: string) => ({ inlineData: { mimeType: 'image/png', data } })
    expect(parts).toEqual([{ text: 'Here:' }, drawn('AAAA'), { text: 'And:' }, drawn('BBBB'), drawn('CCCC')])
  })

  test.each(['anthropic', 'openai-chat', 'openai-responses'] as const)(
    'has each medium in the report where %s has no place for it',
    to => {
      const repairs: Repair[] = []
      const converted = convert(steps, { to, onRepair: report => repairs.push(...report.repairs) })
      expect(repairs.map(({ rule, at }) => [rule, at])).toEqual([
        ['converted-content', 'input[1]'],
        ['converted-content', 'input[2]'],
        ['converted-content', 'input[2]'],
      ])
      for (const text of ['Here:', 'And:']) expect(JSON.stringify(converted)).toContain(text)
    },
  )

  test('stays as it is, also next to a repair', () => {
    expect(heal(steps, options)).toBe(steps)
    const broken = [...steps, call, asks('Well?')]
    const { messages, repairs } = repair(broken, options)
    expect(repairs.map(({ rule, at }) => [rule, at])).toEqual([['unanswered-call', 'input[3]']])
    expect(messages[1]).toBe(steps[1])
    expect(messages[2]).toBe(steps[2])
    expect(messages).toHaveLength(6)
  })

  test('keeps its other contents if one is removed', () => {
    const drawn = { ...says(words(''), image('AAAA')), note: 'kept' }
    const { messages } = repair([asks('Draw.'), drawn, asks('Well?')], { ...options, cautious: true })
    expect(messages).toEqual([asks('Draw.'), { ...drawn, content: [image('AAAA')] }, asks('Well?')])
  })

  test('moves with all its contents', () => {
    const result = { type: 'function_result', call_id: 'a1', name: 'look', result: 'a cat' }
    const { messages } = repair([asks('Draw.'), call, steps[1], result], options)
    expect(messages.filter(step => step === steps[1])).toHaveLength(1)
    expect(heal(messages, options)).toBe(messages)
  })
})
