import { expect, test } from 'vitest'
import { check, repair, trim } from '../../src/index.ts'

test('[SE273] a message that cannot be read is not said to be repaired', () => {
  for (const history of [[{ content: 'q' }], [{ role: 'robot', content: 'q' }], ['q'], [null]]) {
    const { changed, messages, repairs } = repair(history, { format: 'bedrock' })
    expect(messages).toEqual(history)
    expect(changed || repairs.some(({ rule }) => rule === 'bare-content')).toBe(false)
    expect(check(history, { format: 'bedrock' }).map(({ rule }) => rule)).not.toContain('bare-content')
  }
  const [said] = repair([{ role: 'user', content: 'q' }], { format: 'bedrock' }).messages
  expect(said).toEqual({ role: 'user', content: [{ text: 'q' }] })
})

test('[SE273] trim leaves something that is sent, and not only data of an interface', () => {
  const user = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Hello.' }] }
  for (const part of [
    { type: 'data-weather', data: 'x'.repeat(10_000) },
    { type: 'source-url', sourceId: 's', url: 'https://site' },
  ])
    for (const limit of [{ maxMessages: 1 }, { maxTokens: 5 }])
      for (const dialect of ['openai', 'anthropic', 'gemini', 'cohere'] as const) {
        const history = [user, { id: 'a', role: 'assistant', parts: [part] }]
        const kept = trim(history, { for: dialect, format: 'ai-sdk-ui', ...limit })
        expect(kept).toContain(user)
        expect(check(kept, { for: dialect, format: 'ai-sdk-ui' })).toEqual([])
      }
})
