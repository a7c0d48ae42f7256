import { describe, expect, test } from 'vitest'
import { healRejected, type Rejection, readRejection } from '../../src/heal/rejections/index.ts'

const said = 'The key is under the mat.'

const documents = [
  ['anthropic', 'a plain text', { type: 'document', source: { type: 'text', media_type: 'text/plain', data: said } }],
  [
    'anthropic',
    'blocks of text',
    { type: 'document', title: 'note', source: { type: 'content', content: [{ type: 'text', text: said }] } },
  ],
  ['bedrock', 'a plain text', { document: { format: 'txt', name: 'note', source: { text: said } } }],
  ['bedrock', 'blocks of text', { document: { format: 'txt', name: 'note', source: { content: [{ text: said }] } } }],
] as const

const readable = (text: string): Rejection => readRejection(400, { error: { message: text } }) as Rejection

const request = (format: string, document: object) => {
  const text = (words: string): object => (format === 'bedrock' ? { text: words } : { type: 'text', text: words })
  const pdf =
    format === 'bedrock'
      ? { document: { format: 'pdf', name: 'scan', source: { bytes: 'JVBERi0=' } } }
      : { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } }
  return {
    model: 'some-model',
    messages: [
      { role: 'user', content: [document, pdf, text('Read these.')] },
      { role: 'assistant', content: [text('I did.')] },
      { role: 'user', content: [text('Thanks.')] },
    ],
  }
}

describe.each(documents)('[SE631] in %s, a document that is %s', (format, _, document) => {
  test('stays if the provider cannot read a PDF', () => {
    for (const error of ['The PDF specified is password protected.', 'The PDF specified was not valid.']) {
      const { body, changed } = healRejected(request(format, document), readable(error), { format })
      expect(changed).toBe(true)
      expect(body.messages[0]?.content[0]).toEqual(document)
      expect(JSON.stringify(body)).not.toContain('JVBERi0=')
    }
  })

  test('becomes a quoted text if the model takes text only', () => {
    const { body } = healRejected(request(format, document), readable('qwen2.5 is not a multimodal model'), { format })
    const content = body.messages[0]?.content as { text?: string }[] | undefined
    expect(content?.[0]?.text).toMatch(/^\[document( note)?, quoted\]\n> The key is under the mat\.$/)
  })
})
