import { describe, expect, test } from 'vitest'
import { healRejected, readRejection } from '../../src/heal/rejections/index.ts'
import { type CodecId, healRequest } from '../../src/index.ts'
import texts from '../rejections/texts.json' with { type: 'json' }

type Body = Record<string, unknown>

/** A request in which a list of parts, by the user and by the assistant, has other values among its parts. */
const requests: Partial<Record<CodecId, (odd: unknown) => Body>> = {
  'openai-chat': odd => ({
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'hi' }, odd] },
      { role: 'assistant', content: [odd, { type: 'text', text: 'hello' }, odd] },
      { role: 'user', content: [odd] },
    ],
  }),
  'openai-responses': odd => ({
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'hi' }, odd] },
      { type: 'reasoning', id: 'rs_1', summary: [odd] },
      { role: 'assistant', content: [odd, { type: 'output_text', text: 'hello' }, odd] },
    ],
  }),
  anthropic: odd => ({
    thinking: { type: 'enabled', budget_tokens: 2000 },
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'hi' }, odd] },
      { role: 'assistant', content: [odd, { type: 'thinking', thinking: 'so', signature: 's' }, odd] },
      { role: 'user', content: [odd] },
    ],
  }),
  gemini: odd => ({
    contents: [
      { role: 'user', parts: [{ text: 'hi' }, odd] },
      { role: 'model', parts: [odd, { text: 'hello' }, odd] },
      { role: 'user', parts: [odd] },
    ],
  }),
  bedrock: odd => ({
    messages: [
      { role: 'user', content: [{ document: { format: 'txt', name: 'a', source: { bytes: 'aGk=' } } }, odd] },
      { role: 'assistant', content: [odd, { text: 'hello' }, odd] },
      { role: 'user', content: [odd] },
    ],
  }),
  ollama: odd => ({
    messages: [{ role: 'user', content: 'hi', images: [odd] }, odd, { role: 'assistant', content: '' }],
  }),
  'gemini-interactions': odd => ({
    input: [
      { type: 'user_input', content: [{ type: 'text', text: 'hi' }, odd] },
      { type: 'model_output', content: [odd, { type: 'text', text: 'hello' }, odd] },
      { type: 'user_input', content: [odd] },
    ],
  }),
}

const oddValues: unknown[] = [null, 'text', 7, true, [], [null], {}]
const rejections = texts.flatMap(({ text }) => readRejection(400, { error: { message: text } }) ?? [])

describe('[SE676] values that are not parts do not make a repair of a request throw', () => {
  const formats = Object.entries(requests) as [CodecId, (odd: unknown) => Body][]

  test.each(formats)('before it is sent: %s', (format, make) => {
    for (const odd of oddValues) {
      const body = { model: 'some-model', ...make(odd) }
      expect(() => healRequest(body), JSON.stringify(body)).not.toThrow()
      expect(() => healRequest(body, { format }), JSON.stringify(body)).not.toThrow()
    }
  })

  test.each(formats)('after any rejection: %s', (format, make) => {
    expect(rejections.length).toBeGreaterThan(100)
    for (const odd of oddValues) {
      const body = { model: 'some-model', ...make(odd) }
      for (const rejection of rejections)
        expect(
          () => healRejected(body, rejection, { format }),
          `${rejection.id}: ${JSON.stringify(body)}`,
        ).not.toThrow()
    }
  })

  test('and the text next to a document stays, and the other values too', () => {
    const messages = [{ role: 'user', content: [null, { document: { format: 'txt', name: 'a' } }, { text: ' ' }] }]
    const { body } = healRequest({ modelId: 'us.amazon.nova-pro-v1:0', messages }, { format: 'bedrock' })
    expect(body.messages[0]?.content[0]).toEqual({ text: 'Attached: a' })
    expect(body.messages[0]?.content).toContain(null)
  })
})
