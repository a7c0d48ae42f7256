import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { healRejected, readRejection } from '../../src/heal/rejections/index.ts'
import { healRequest } from '../../src/index.ts'
import { healFetch } from '../../src/integrations/fetch/index.ts'
import { nameRestorer } from '../../src/integrations/fetch/restore-names.ts'
import { startProxy } from '../../src/integrations/proxy/index.ts'

/** The caller's names, which the provider rejects, and one that it accepts. */
const names = ['files.read', 'files.write file', 'look']

/** A way to ask a provider for a call of every tool: the request, and how the answer is written. */
interface Way {
  readonly path: string
  readonly body: (names: readonly string[]) => object
  readonly declared: (body: never) => readonly string[]
  readonly words: string
  readonly type: string
  readonly answer: (names: readonly string[]) => readonly string[]
  readonly called: (text: string) => readonly string[]
}

const events = (values: readonly unknown[]): string[] => values.map(value => `data: ${JSON.stringify(value)}\r\n\r\n`)
const dataIn = (text: string): unknown[] =>
  text.split(/\r?\n/).flatMap(line => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
/** The arguments of a call say the name that the provider was given: that is the model's own word. */
const input = (name: string) => ({ name, of: 'the argument' })
const openaiWords =
  "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
const chatCalls = (names: readonly string[]) =>
  names.map((name, index) => ({
    ...{ index, id: `call_${index}`, type: 'function' },
    function: { name, arguments: JSON.stringify(input(name)) },
  }))
const user = { role: 'user', content: 'Go.' }

const ways: Record<string, Way> = {
  'chat, whole': {
    path: '/v1/chat/completions',
    body: names => ({
      ...{ model: 'gpt-5', messages: [user] },
      tools: names.map(name => ({ type: 'function', function: { name, parameters: { type: 'object' } } })),
    }),
    declared: ({ tools }: { tools: { function: { name: string } }[] }) => tools.map(tool => tool.function.name),
    words: openaiWords,
    type: 'application/json',
    answer: names => [
      JSON.stringify({
        id: 'c1',
        big: 12345678901234567890n.toString(),
        choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls: chatCalls(names) } }],
      }),
    ],
    called: text => {
      const { choices } = JSON.parse(text) as { choices: { message: { tool_calls: { function: Called }[] } }[] }
      return choices[0].message.tool_calls.map(call => call.function.name)
    },
  },
  'chat, streamed': {
    path: '/v1/chat/completions',
    body: names => ({ ...ways['chat, whole'].body(names), stream: true }),
    declared: body => ways['chat, whole'].declared(body),
    words: openaiWords,
    type: 'text/event-stream; charset=utf-8',
    answer: names => [
      ...events(chatCalls(names).map(call => ({ choices: [{ index: 0, delta: { tool_calls: [call] } }] }))),
      'data: [DONE]\n\n',
    ],
    called: text =>
      (dataIn(text) as { choices: { delta: { tool_calls: { function: Called }[] } }[] }[]).map(
        ({ choices }) => choices[0].delta.tool_calls[0].function.name,
      ),
  },
  'Responses, streamed': {
    path: '/v1/responses',
    body: names => ({
      ...{ model: 'gpt-5', input: [user], stream: true },
      tools: names.map(name => ({ type: 'function', name, parameters: { type: 'object' } })),
    }),
    declared: ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name),
    words:
      "Invalid 'tools[0].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    type: 'text/event-stream',
    answer: names =>
      events(
        names.map(name => ({
          type: 'response.output_item.added',
          item: { type: 'function_call', call_id: 'c', name, arguments: JSON.stringify(input(name)) },
        })),
      ),
    called: text => (dataIn(text) as { item: Called }[]).map(({ item }) => item.name),
  },
  'Anthropic, whole': {
    path: '/v1/messages',
    body: names => ({
      ...{ model: 'claude-sonnet-4-5', max_tokens: 10, messages: [user] },
      tools: names.map(name => ({ name, input_schema: { type: 'object' } })),
    }),
    declared: ({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name),
    words: "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    type: 'application/json',
    answer: names => [
      JSON.stringify({ content: names.map(name => ({ type: 'tool_use', id: 't', name, input: input(name) })) }),
    ],
    called: text => (JSON.parse(text) as { content: Called[] }).content.map(({ name }) => name),
  },
  'Anthropic, streamed': {
    path: '/v1/messages',
    body: names => ({ ...ways['Anthropic, whole'].body(names), stream: true }),
    declared: body => ways['Anthropic, whole'].declared(body),
    words: "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    type: 'text/event-stream',
    answer: names =>
      names.map(
        (name, index) =>
          `event: content_block_start\ndata: ${JSON.stringify({ type: 'content_block_start', index, content_block: { type: 'tool_use', id: 't', name, input: {} } })}\n\n`,
      ),
    called: text => (dataIn(text) as { content_block: Called }[]).map(({ content_block: { name } }) => name),
  },
  'Gemini, a list in pieces': {
    path: '/v1beta/models/gemini-3-pro:streamGenerateContent',
    body: names => ({
      contents: [{ role: 'user', parts: [{ text: 'Go.' }] }],
      tools: [{ functionDeclarations: names.map(name => ({ name, parameters: { type: 'OBJECT' } })) }],
    }),
    declared: ({ tools }: { tools: { functionDeclarations: Called[] }[] }) =>
      tools[0].functionDeclarations.map(({ name }) => name),
    words: 'Invalid function name. Must start with a letter or an underscore.',
    type: 'application/json; charset=UTF-8',
    answer: names => [
      JSON.stringify(
        [
          {
            candidates: [
              { content: { role: 'model', parts: names.map(name => ({ functionCall: { name, args: input(name) } })) } },
            ],
          },
        ],
        null,
        2,
      ),
    ],
    called: text =>
      (
        JSON.parse(text) as { candidates: { content: { parts: { functionCall: Called }[] } }[] }[]
      )[0].candidates[0].content.parts.map(({ functionCall: { name } }) => name),
  },
}

interface Called {
  readonly name: string
}

let asked: { names: readonly string[]; text: string }[] = []
let current: Way | undefined
const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString()
  const way = current as Way
  const given = way.declared(JSON.parse(text) as never)
  asked.push({ names: given, text })
  if (given.some(name => !(way.path.includes('gemini') ? /^[\w.-]+$/ : /^[\w-]+$/).test(name))) {
    const error = JSON.stringify({ error: { type: 'invalid_request_error', message: way.words } })
    return void response.writeHead(400, { 'content-type': 'application/json' }).end(error)
  }
  const bytes = Buffer.from(way.answer(given).join(''))
  const isPacked = String(request.headers['accept-encoding'] ?? '').includes('gzip') && way.type.includes('json')
  if (isPacked)
    return void response.writeHead(200, { 'content-type': way.type, 'content-encoding': 'gzip' }).end(gzipSync(bytes))
  const length = way.type.includes('json') ? { 'content-length': String(bytes.length) } : {}
  response.writeHead(200, { 'content-type': way.type, ...length })
  await inPieces(response, bytes)
})

/** Cut in the middle of names and characters. */
async function inPieces(response: ServerResponse, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; at += 37) {
    response.write(bytes.subarray(at, at + 37))
    await new Promise(setImmediate)
  }
  response.end()
}

let base = ''
let proxy: Awaited<ReturnType<typeof startProxy>>

beforeAll(async () => {
  server.keepAliveTimeout = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  proxy = await startProxy({ to: base, port: 0, onRepair() {} })
})

afterAll(async () => {
  await proxy.close()
  server.closeAllConnections()
  server.close()
})

describe.each(Object.keys(ways))('%s', name => {
  const way = ways[name]

  test.each(['healFetch', 'the proxy'])('[RJ30] %s restores the caller’s tool names', async through => {
    const send = through === 'healFetch' ? healFetch({ onRepair() {} }) : fetch
    const url = `${through === 'healFetch' ? base : proxy.url}/${encodeURIComponent(name)}${way.path}`
    const body = JSON.stringify(way.body(names))
    const init = { method: 'POST', body, headers: { 'content-type': 'application/json', 'x-api-key': through } }
    current = way
    asked = []
    // OpenAI takes dots on Azure, so that only a rejection tells; the second time the names are changed before the request is sent.
    for (const requests of /chat|Responses/.test(name) ? [2, 3] : [1, 2]) {
      const response = await send(url, init)
      const text = await response.text()
      expect(response.status, text).toBe(200)
      expect(asked).toHaveLength(requests)
      const given = asked.at(-1)?.names ?? []
      expect(given).not.toEqual(names)
      expect(way.called(text)).toEqual(names)
      // Everything else is as the provider wrote it.
      const restored = (list: readonly string[]) => list.join('').length
      const grown = names.join('').length - given.join('').length
      const whole = way.type.includes('json')
        ? JSON.stringify(JSON.parse(way.answer(given).join('')))
        : way.answer(given).join('')
      expect(text.length).toBe(restored([whole]) + grown)
      for (const [index, one] of given.entries())
        if (names[index] !== one) expect(text).not.toContain(`"${names[index]}","of"`)
    }
  })
})

test('[RJ30] no tool gets the name of another, whatever names others declare', () => {
  const body = (taken: readonly string[]) => ({
    model: 'gpt-5',
    messages: [{ role: 'user', content: 'Go.' }],
    tools: ['pay.now', ...taken].map(name => ({ type: 'function', function: { name, parameters: {} } })),
  })
  const error =
    "Invalid 'tools[0].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
  const rejection = readRejection(400, { error: { message: error } })
  if (!rejection) throw new Error('not read')
  const taken = ['pay_now']
  for (let round = 0; round < 5; round++) {
    const repaired = healRejected(body(taken), rejection)
    const names = repaired.body.tools.map(tool => tool.function.name)
    expect(new Set(names).size).toBe(taken.length + 1)
    expect([...(repaired.renamedTools ?? [])]).toEqual([[names[0], 'pay.now']])
    expect(names.slice(1)).toEqual(taken)
    // The next round declares the name that was given in this one.
    taken.push(names[0])
  }
})

test('[LM9] names that a provider is known not to take are changed before the request is sent, and the answer has those of the caller', async () => {
  const bad = ['files/read', 'look', `${'long_'.repeat(30)}name`]
  for (const name of Object.keys(ways)) {
    const way = ways[name]
    current = way
    const isLong = name !== 'Responses, streamed'
    const used = isLong ? bad : bad.slice(0, 2)
    for (const [send, to] of [
      [healFetch({ onRepair() {} }), base],
      [fetch, proxy.url],
    ] as const) {
      asked = []
      const init = { method: 'POST', body: JSON.stringify(way.body(used)), headers: { 'x-api-key': 'first' } }
      const response = await send(`${to}/${encodeURIComponent(name)}${way.path}`, init)
      expect(way.called(await response.text()), name).toEqual(used)
      expect(asked, name).toHaveLength(1)
      expect(new Set(asked[0].names).size).toBe(used.length)
      expect(asked[0].names[1]).toBe('look')
    }
  }
  // The caller of healRequest puts the names back itself, or is only told.
  const body = ways['Anthropic, whole'].body(bad)
  const told = healRequest(body, { for: 'anthropic' })
  expect(told.body).toBe(body)
  expect(told.remaining.map(({ rule }) => rule)).toEqual(['malformed-tool-name', 'malformed-tool-name'])
  const { renamedTools } = healRequest(body, { for: 'anthropic', renameTools: true })
  expect([...(renamedTools ?? [])].map(([, own]) => own)).toEqual([bad[0], bad[2]])
})

test('[LM9] the history, the choice of a tool and references follow a renamed tool', () => {
  const contents = [
    { role: 'user', parts: [{ text: 'Go.' }] },
    { role: 'model', parts: [{ functionCall: { name: 'files/read', args: { name: 'files/read' } } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'files/read', response: { name: 'files/read' } } }] },
  ]
  const request = {
    ...{ model: 'gemini-2.5-pro', contents, tools: [{ functionDeclarations: [{ name: 'files/read' }] }] },
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['files/read'] } },
  }
  const { body } = healRequest(request, { for: 'gemini', renameTools: true })
  expect(JSON.parse(JSON.stringify(body))).toEqual({
    ...request,
    contents: [
      contents[0],
      { role: 'model', parts: [{ functionCall: { name: 'files_read', args: { name: 'files/read' } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'files_read', response: { name: 'files/read' } } }] },
    ],
    tools: [{ functionDeclarations: [{ name: 'files_read' }] }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['files_read'] } },
  })
})

test('[RJ30] where the answer is a binary stream, no tool is renamed', async () => {
  current = {
    ...ways['chat, whole'],
    path: '/model/anthropic.claude-sonnet-4-5/converse-stream',
    declared: ({ toolConfig }: { toolConfig: { tools: { toolSpec: Called }[] } }) =>
      toolConfig.tools.map(({ toolSpec }) => toolSpec.name),
    words:
      "1 validation error detected: Value 'files.read' at 'toolConfig.tools.1.member.toolSpec.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
  }
  asked = []
  const body = JSON.stringify({
    messages: [{ role: 'user', content: [{ text: 'Go.' }] }],
    toolConfig: { tools: names.map(name => ({ toolSpec: { name, inputSchema: { json: {} } } })) },
  })
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json', authorization: 'Bearer key' } }
  for (const [send, to] of [
    [healFetch({ onRepair() {} }), base],
    [fetch, proxy.url],
  ] as const) {
    asked = []
    const response = await send(`${to}${current.path}`, init)
    expect(response.status).toBe(400)
    expect(asked.map(({ text }) => text)).toEqual([body])
  }
})

describe('restoring names', () => {
  const given = new Map([['files_read', 'files.read']])
  const piece = Buffer.alloc(2 ** 20, 'a')

  test.each(['text/event-stream', 'application/json'])('[SE124] holds at most 64 MB of an answer: %s', type => {
    const restorer = nameRestorer(given, type)
    let passed = 0
    let held = 0
    for (let sent = piece.length; sent <= 80 * piece.length; sent += piece.length) {
      passed += restorer?.push(piece).length ?? 0
      held = Math.max(held, sent - passed)
    }
    passed += restorer?.end().length ?? 0
    expect(passed).toBe(80 * piece.length)
    expect(held).toBeLessThanOrEqual(64 * piece.length)
  })

  test('[RJ30] changes the names of tools and calls, and no other name', () => {
    const named = (name: string) => ({
      tools: [{ type: 'function', name }],
      output: [{ type: 'function_call', name, arguments: '{"name":"files_read"}' }],
      choices: [{ message: { tool_calls: [{ function: { name } }], function_call: { name } } }],
      content: [{ type: 'tool_use', name, input: { name: 'files_read' } }, { toolUse: { name } }],
      parts: [{ functionCall: { name, args: { name: 'files_read' } } }],
    })
    const others = {
      metadata: { name: 'files_read' },
      text: { format: { type: 'json_schema', name: 'files_read' } },
      annotations: [{ type: 'file_citation', name: 'files_read' }],
      name: 'files_read',
    }
    const restorer = nameRestorer(given, 'application/json')
    restorer?.push(Buffer.from(JSON.stringify({ ...named('files_read'), ...others })))
    expect(JSON.parse(Buffer.from(restorer?.end() ?? []).toString())).toEqual({ ...named('files.read'), ...others })
  })

  test('[SE124] goes on after the line that was too long', () => {
    const restorer = nameRestorer(given, 'text/event-stream')
    for (let count = 0; count < 70; count++) restorer?.push(piece)
    const rest = restorer?.push(
      Buffer.from('"name":"files_read"\ndata: {"type":"function_call","name":"files_read"}\n'),
    )
    expect(Buffer.from(rest ?? []).toString()).toBe(
      '"name":"files_read"\ndata: {"type":"function_call","name":"files.read"}\n',
    )
  })
})
