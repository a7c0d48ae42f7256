import { describe, expect, test } from 'vitest'
import { commandFor } from '../../src/apps/viewer/page/share/command-for.ts'
import { readShared, writeShared } from '../../src/apps/viewer/page/share/shared-link.ts'

const secret = 'zanzibar-moonlight'
const input = { user: 'ada', password: secret, nested: [{ apiKey: secret, token: secret, headers: { a: [secret] } }] }
const text = JSON.stringify(input)

const histories: readonly (readonly [string, unknown])[] = [
  ['anthropic', { messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'login', input }] }] }],
  ['a list', [{ role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'login', input }] }]],
  ['gemini', { contents: [{ role: 'model', parts: [{ functionCall: { name: 'login', args: input } }] }] }],
  [
    'bedrock',
    { messages: [{ role: 'user', content: [{ toolResult: { toolUseId: 't', content: [{ json: input }] } }] }] },
  ],
  [
    'openai-chat',
    { messages: [{ role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'login', arguments: text } }] }] },
  ],
  ['JSON in JSON', { messages: [{ role: 'tool', tool_call_id: 'c', content: JSON.stringify({ body: text }) }] }],
]

describe('[SE293] no link contains a value in a field that is named as a credential', () => {
  test.each(histories)('%s', async (_, value) => {
    for (const redacts of [false, true]) {
      const shared = await readShared(await writeShared({ kind: 'history', name: 'chat.json', value }, redacts))
      expect(JSON.stringify(shared)).not.toContain(secret)
      if (!redacts) expect(JSON.stringify(shared)).toContain('ada')
    }
  })

  test('schemas of parameters with such names, and JSON without secrets, stay as they are', async () => {
    const properties = { password: { type: 'string', description: 'of the user' } }
    const value = {
      tools: [{ name: 'login', input_schema: { type: 'object', properties } }],
      messages: [{ role: 'tool', tool_call_id: 'c', content: '{ "total":  1.50 }' }],
    }
    const shared = await readShared(await writeShared({ kind: 'history', name: 'chat.json', value }, false))
    expect(shared.value).toEqual(value)
  })

  test('the command to copy has one line, whatever model a link names', () => {
    expect(commandFor('--write.json', 'openai', "a'\u001b[201~\n; b")).toBe(
      "antiphon heal chat.json --for openai --model 'a'\\'$'\\033''[201~'$'\\012''; b' > healed.json",
    )
  })
})

test('[SE294] a link sets the provider, the format and the model, and nothing else that changes what is diagnosed', async () => {
  const shared = {
    value: [{ role: 'user', content: 'hi' }],
    options: { for: 'openai', model: 'gpt-5', continues: true, format: 7, allow: [], ignore: ['*'], orphans: 'quote' },
  }
  const stream = new Blob([JSON.stringify(shared)]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const link = Buffer.from(await new Response(stream).arrayBuffer()).toString('base64url')
  expect((await readShared(link)).options).toEqual({ for: 'openai', model: 'gpt-5', continues: true })
})
