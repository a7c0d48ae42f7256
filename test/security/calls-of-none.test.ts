import { expect, test } from 'vitest'
import { convert } from '../../src/heal/convert/convert.ts'
import { repair } from '../../src/heal/heal.ts'

const calls = [{ id: 'call_1', type: 'function', function: { name: 'pay', arguments: '{"to":"secret-account"}' } }]
const result = { role: 'tool', tool_call_id: 'call_1', content: 'paid' }
const historyWith = (message: object, ...more: object[]) => [
  { role: 'user', content: 'Pay.' },
  { ...message, tool_calls: calls },
  ...more,
  { role: 'user', content: 'Go on.' },
]

const histories = ['user', 'system', 'developer'].flatMap(role =>
  [null, '', 'I will.'].flatMap(content => [historyWith({ role, content }), historyWith({ role, content }, result)]),
)

test('[SE332] calls of a message whose role cannot have any are converted, or are in the report', () => {
  for (const history of histories)
    for (const to of ['anthropic', 'gemini', 'openai-responses', 'ag-ui', 'langchain'] as const) {
      const told: unknown[] = []
      const converted = convert(history, { from: 'openai-chat', to, onRepair: ({ repairs }) => told.push(repairs) })
      expect({ history, to, text: JSON.stringify([converted, told]) }).toMatchObject({
        text: expect.stringContaining('secret-account'),
      })
    }
})

test('[SE332] such calls are in the report if their message is joined with another', () => {
  for (const history of histories)
    for (const dialect of ['mistral-template', 'gemma-template', 'mistral', 'openai'] as const) {
      const { messages, repairs } = repair(history, { format: 'openai-chat', for: dialect })
      const isKept = JSON.stringify(messages).includes('secret-account')
      expect({ history, dialect, isTold: isKept || JSON.stringify(repairs).includes('secret-account') }).toMatchObject({
        isTold: true,
      })
      expect(repairs.some(({ lostFields }) => lostFields) && isKept).toBe(false)
    }
})
