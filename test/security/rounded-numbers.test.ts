import { expect, test } from 'vitest'
import { parseExactly } from '../../src/core/json/exact-json.ts'
import { healRejected } from '../../src/heal/rejections/heal-rejected.ts'
import { readRejection } from '../../src/heal/rejections/read-rejection.ts'
import { findEndpoint } from '../../src/integrations/fetch/endpoint.ts'
import { healRequestText } from '../../src/integrations/fetch/heal-request-text.ts'
import { antiphon, folder } from '../apps/cli/program.ts'

const digits = '12345678901234567897'
const call = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }
const answer = { role: 'tool', tool_call_id: 'call_1', content: 'A cat.' }

test.each([
  ['a call', [{ role: 'assistant', content: 'I look.', tool_calls: ['digits', call] }, answer]],
  ['the only call', [{ role: 'assistant', content: 'I look.', tool_calls: ['digits'] }]],
  [
    'a block of content',
    [
      { role: 'user', content: ['digits'] },
      { role: 'assistant', content: '', tool_calls: [call] },
    ],
  ],
])('[SE401] a long number in place of %s is not rounded, nor are others in the request', (_, broken) => {
  const messages = [{ role: 'user', content: 'Go.', seen: 'digits' }, ...broken]
  const text = JSON.stringify({ model: 'gpt-5', messages }).replaceAll('"digits"', digits)
  const endpoint = findEndpoint(new URL('https://api.openai.com/v1/chat/completions'))
  const healed = endpoint && healRequestText(text, endpoint, {})
  const after = (healed?.text ?? text) + JSON.stringify(healed?.repairs ?? [])
  expect(after.match(/12345678901234\d+/g)).toEqual(expect.arrayContaining([digits, digits]))
  expect(after).not.toMatch(/12345678901234(?!567897)/)
  expect(after).not.toContain('rawJSON')
})

test('[SE401] ids that are long numbers become texts with all their digits, in commands and requests', async () => {
  const ids = ['12345678901234567890', '12345678901234567891']
  const asked = ids.map(id => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } }))
  const answers = ids.map(id => ({ role: 'tool', tool_call_id: id, content: `result of ${id}x` }))
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: null, tool_calls: asked },
    ...answers,
  ]
  const numbered = JSON.stringify({ model: 'gpt-5', messages }).replaceAll(/"(\d{20})"/g, '$1')
  const endpoint = findEndpoint(new URL('https://api.openai.com/v1/chat/completions'))
  expect(JSON.parse((endpoint && healRequestText(numbered, endpoint, {}))?.text ?? '{}').messages).toEqual(messages)
  const { code, stdout } = await antiphon(['heal', '-'], { input: numbered })
  expect([code, JSON.parse(stdout).messages]).toEqual([0, messages])
})

test('[SE401] check shows long numbers with all their digits', async () => {
  const asked = { id: 'call_1', function: { name: 'look', arguments: { n: 'digits' } } }
  const messages = [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', tool_calls: [asked] },
  ]
  const input = JSON.stringify({ model: 'llama', messages }).replaceAll('"digits"', digits)
  const { stdout } = await antiphon(['check', '--format', 'ollama', '-'], { input })
  expect(stdout).toContain(`look({"n":${digits}})`)
})

const schema = { $schema: 'x', type: ['object', 'null'], properties: { at: { type: 'integer', maximum: 'digits' } } }
const shell = { type: 'function', function: { name: 'shell', parameters: { ...schema, pattern: 'x' } } }

test.each([
  [
    'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro:generateContent',
    'Invalid JSON payload received. Unknown name "$schema" at \'tools[0].function_declarations[0].parameters\': Cannot find field.',
    {
      contents: [{ role: 'user', parts: [{ text: 'Go.' }] }],
      tools: [{ functionDeclarations: [{ name: 'shell', parameters: schema }] }],
    },
  ],
  [
    'https://api.moonshot.ai/v1/chat/completions',
    'Invalid request: tools.function.parameters is not a valid moonshot flavored json schema',
    { model: 'kimi-k2', messages: [{ role: 'user', content: 'Go.' }], tools: [shell] },
  ],
  [
    'https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse',
    'Malformed input request: #/toolConfig/tools/0/toolSpec/inputSchema/json: extraneous key [$schema] is not permitted, please reformat your input and try again.',
    {
      messages: [{ role: 'user', content: [{ text: 'Go.' }] }],
      toolConfig: { tools: [{ toolSpec: { name: 'shell', inputSchema: { json: schema } } }] },
    },
  ],
  [
    'https://api.openai.com/v1/chat/completions',
    'parse: error parsing grammar: unknown escape at \\d',
    { model: 'm', messages: [{ role: 'user', content: 'Go.' }], tools: [shell] },
  ],
])('[SE401] a long number in a schema that is rewritten stays a number: %s', (url, message, request) => {
  const text = JSON.stringify({ ...request, seed: 'digits' }).replaceAll('"digits"', digits)
  const endpoint = findEndpoint(new URL(url))
  const rejection = readRejection(400, JSON.stringify({ error: { message } }), { request: text })
  if (!endpoint || !rejection) throw new Error(url)
  const healed = healRequestText(text, endpoint, {}, { rejection })
  const { body } = healRejected(parseExactly(text), rejection, { format: endpoint.format })
  for (const after of [healed?.text, JSON.stringify(body)]) {
    expect(after).not.toBe(text)
    expect(after).toContain(`"maximum":${digits}}`)
    expect(after).toContain(`"seed":${digits}`)
  }
})

const misplaced = [{ role: 'assistant', content: 'I look.', tool_calls: ['digits', call] }, answer]
const history = JSON.stringify([{ role: 'user', content: 'Go.', seen: 'digits' }, ...misplaced]).replaceAll(
  '"digits"',
  digits,
)

test.each([
  ['heal', ['heal', '-'], history],
  ['heal --stdio', ['heal', '--stdio'], `{"body":${history},"for":"openai"}\n`],
  ['convert', ['convert', '--to', 'anthropic', '-'], history],
  ['trim', ['trim', '--max-messages', '3', '-'], history],
])(
  '[SE401] %s makes up no call for a long number in place of one, and does not round it',
  async (command, args, input) => {
    const { stdout, stderr } = await antiphon(args, { input })
    expect(stdout).toContain('I look.')
    expect(stdout + stderr).not.toMatch(/rawJSON|unknown_tool|12345678901234(?!567897)/)
    expect(stdout.match(/A cat\./g)).toHaveLength(1)
    // A message that stays as it is keeps its numbers.
    if (command === 'heal') expect(stdout).toContain(`"seen":${digits}`)
  },
)

test('[SE401] heal --because makes up no call for a long number either', async () => {
  const body = `{"model":"gpt-5","messages":${history}}`
  const cwd = folder({ 'body.json': body })
  const because =
    "Invalid 'messages[1].tool_calls[0]': expected an object. An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
  const { stdout, stderr } = await antiphon(['heal', 'body.json', '--because', because], { cwd })
  expect(stdout).toContain('I look.')
  expect(stdout + stderr).not.toMatch(/rawJSON|unknown_tool|12345678901234(?!567897)/)
})
