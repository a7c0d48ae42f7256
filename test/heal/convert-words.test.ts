import { describe, expect, test } from 'vitest'
import { type CodecId, codecs } from '../../src/codecs/index.ts'
import { convert, type Repair } from '../../src/index.ts'
import { wordsIn } from '../laws/random.ts'
import { richHistory } from '../rich-history.ts'

const formats = Object.keys(codecs) as CodecId[]
const seeds = Array.from({ length: 25 }, (_, seed) => seed)

describe.each(formats)('every word of a rich %s history', from => {
  test.each(formats.filter(to => to !== from))('[V8] is in the converted history or in the report: to %s', to => {
    for (const seed of seeds) {
      const history = richHistory(from, seed)
      const told: Repair[] = []
      const there = convert(history, { from, to, onRepair: ({ repairs }) => told.push(...repairs) })
      const known = new Set(wordsIn([JSON.stringify([there, told])]))
      const lost = wordsIn([JSON.stringify(history)]).filter(word => !known.has(word))
      expect(lost, `seed ${seed}: ${JSON.stringify(history)}`).toEqual([])
    }
  })
})

describe('media outside of the content', () => {
  const png = 'data:image/png;base64,iVBORw0KGgo='
  const rows: [string, CodecId, object][] = [
    ['an image of OpenRouter', 'openai-chat', { images: [{ type: 'image_url', image_url: { url: png } }] }],
    ['an attachment of AI SDK 4', 'ai-sdk', { experimental_attachments: [{ url: png }] }],
    ['bytes', 'ai-sdk', { attachment: { data: new Uint8Array([137, 80, 78, 71]) } }],
  ]

  test.each(rows)('[V8] is in the report: %s', (_, from, beside) => {
    for (const to of formats.filter(one => one !== from)) {
      const told: Repair[] = []
      const history = [
        { role: 'user', content: 'Draw.' },
        { role: 'assistant', content: 'here', ...beside },
      ]
      convert(history, { from, to, onRepair: ({ repairs }) => told.push(...repairs) })
      expect(told.filter(repair => repair.class === 'lossy').length, to).toBe(1)
    }
  })

  test('[V8] is not in the report if it was converted', () => {
    const told: Repair[] = []
    const history = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: png } },
        ],
      },
    ]
    for (const to of ['anthropic', 'gemini', 'bedrock', 'ai-sdk', 'openai-responses'] as const)
      convert(history, { from: 'openai-chat', to, onRepair: ({ repairs }) => told.push(...repairs) })
    expect(told).toEqual([])
  })
})
