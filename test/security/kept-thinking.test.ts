import { expect, test } from 'vitest'
import { repair } from '../../src/index.ts'

const shapes: readonly unknown[] = [
  ['deep thought'],
  { text: 'deep thought' },
  [{ type: 'text', text: 'deep thought' }],
]

test.each(shapes.map(thinking => ({ thinking })))(
  '[SE352] thinking for Ollama that is not a text stays as its JSON: $thinking',
  ({ thinking }) => {
    const histories = [
      [{ role: 'assistant', content: 'Yes.', thinking }],
      [{ role: 'assistant', content: '', thinking }],
      [
        { role: 'assistant', content: 'One.', thinking: 'earlier' },
        { role: 'assistant', content: '', thinking, tool_calls: [{ function: { name: 'look', arguments: '{}' } }] },
        { role: 'tool', tool_name: 'look', content: 'seen' },
      ],
    ]
    for (const history of histories) {
      const { messages } = repair([{ role: 'user', content: 'Is it?' }, ...history], {
        format: 'ollama',
        for: 'ollama',
      })
      const kept = (messages as { thinking?: unknown }[]).map(message => message.thinking ?? '')
      expect(kept.every(text => typeof text === 'string')).toBe(true)
      expect(kept.join('')).toContain(JSON.stringify(thinking))
      if (history.length > 1) expect(kept.join('')).toContain('earlier')
    }
  },
)
