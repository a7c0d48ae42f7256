import { describe, expect, test } from 'vitest'
import { codecs } from '../../src/codecs/index.ts'
import { redact } from '../../src/heal/shrink/redact.ts'
import { check, convert } from '../../src/index.ts'
import { redactBody } from '../../src/observe/tape/redact-body.ts'
import { codecIds } from '../laws/try-laws.ts'

const record = { name: 'Ada Lovelace', id: 'L-1815', status: 'Divorced', state: 'Texas', index: 4711 }
const deep = { ...record, type: 'customer', inner: { ...record, type: 'customer' } }
const content = /Ada|Lovelace|1815|Divorced|Texas|4711/

/** A call with this record as its arguments, and a result that is the same record. */
const source = [
  { role: 'user', parts: [{ text: 'Book it.' }] },
  { role: 'model', parts: [{ functionCall: { name: 'book', args: deep } }] },
  { role: 'user', parts: [{ functionResponse: { name: 'book', response: deep } }] },
]

const call = { type: 'tool-book', toolCallId: 'call_1', state: 'output-available', input: deep, output: deep }
const program: Record<string, readonly object[]> = {
  'parts of the AI SDK with data of the program': [
    { id: '1', role: 'user', parts: [{ type: 'data-user', data: deep }], metadata: deep },
    { id: '2', role: 'assistant', parts: [call] },
  ],
  'an artifact of LangChain': [{ type: 'tool', content: 'x', tool_call_id: 'call_1', artifact: deep }],
  'a serialized artifact of LangChain': [
    {
      lc: 1,
      type: 'constructor',
      id: ['langchain_core', 'messages', 'ToolMessage'],
      kwargs: { content: 'x', tool_call_id: 'call_1', artifact: deep, response_metadata: deep },
    },
  ],
  'what an AG-UI activity shows': [{ id: '1', role: 'activity', activityType: 'PLAN', content: deep }],
  'a return and details of Pydantic AI': [
    { kind: 'request', parts: [{ part_kind: 'tool-return', tool_name: 'f', tool_call_id: 'c', content: deep }] },
    { kind: 'response', parts: [], provider_details: deep },
  ],
  'what a file search of OpenAI found, and what a shell ran': [
    { type: 'file_search_call', id: 'fs_1', results: [{ attributes: deep }] },
    { type: 'local_shell_call', call_id: 'call_1', action: { type: 'exec', command: ['Ada'], env: { ...record } } },
  ],
  'fields that no format has': [
    { role: 'user', content: [{ type: 'text', text: 'x', customer: deep }], context: deep },
  ],
}

describe('[SE565] a redacted history has nothing of records that are content, whatever their fields are called', () => {
  test.each(codecIds)('arguments and results in the format %s', codec => {
    const messages = convert(source, { from: 'gemini', to: codec })
    expect(JSON.stringify(messages)).toMatch(content)
    const { root } = codecs[codec].format
    expect(JSON.stringify(redact(messages, root))).not.toMatch(content)
    expect(JSON.stringify(redactBody({ [root]: messages }))).not.toMatch(content)
  })

  test.each(Object.entries(program))('%s', (_, messages) => {
    expect(JSON.stringify(redact(messages, 'messages'))).not.toMatch(content)
    expect(JSON.stringify(redactBody({ messages }))).not.toMatch(content)
  })
})

test.each([
  { data: { type: 'text', text: 'Ada' } },
  { data: { type: 'reference', reference: { openai: 'file-1' } } },
  { data: { openai: 'file-1' } },
  { providerReference: { openai: 'file-1' } },
])('a redacted file of the AI SDK is stored by the same provider: %j', given => {
  const messages = [{ role: 'user', content: [{ type: 'file', mediaType: 'text/plain', ...given }] }]
  const { messages: recorded } = redactBody({ messages }) as { messages: unknown }
  expect(JSON.stringify(recorded)).not.toMatch(/Ada|file-1/)
  for (const dialect of ['openai', 'anthropic'] as const) {
    const found = (history: unknown) => check(history, { for: dialect, format: 'ai-sdk' }).map(({ rule }) => rule)
    expect(found(recorded)).toEqual(found(messages))
    expect(found(redact(messages, 'messages'))).toEqual(found(messages))
  }
})
