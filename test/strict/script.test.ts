import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  type Api,
  callEachTool,
  type ReplyScript,
  type ScriptInput,
  type Strict,
  startStrict,
} from '../../src/strict/index.ts'
import { apis, hello, type Json, paths, post } from './http.ts'

describe('scripts', () => {
  const say = async (strict: Strict, body: Json = hello('openai-chat')) => {
    const { choices } = (await post(strict, '/v1/chat/completions', body)).json()
    return (choices as { message: Json }[])[0].message
  }

  test('a list that has run out says so, and can be replaced', async () => {
    await using strict = await startStrict({ script: ['One.'] })
    expect((await say(strict)).content).toBe('One.')
    expect((await say(strict)).content).toBe('The script has no more replies.')
    strict.script(async ({ lastUser }) => `${lastUser} to you`)
    expect((await say(strict)).content).toBe('Hello to you')
  })

  test('arguments may be broken on purpose', async () => {
    const calls = [{ name: 'weather', input: '{"city": "Lis', id: 'my-id' }]
    await using strict = await startStrict({ script: [{ calls, stop: 'length' }] })
    expect((await say(strict)).tool_calls).toEqual([
      { id: 'my-id', type: 'function', function: { name: 'weather', arguments: '{"city": "Lis' } },
    ])
  })

  test('a script that throws is a 500 that says so', async () => {
    await using strict = await startStrict({
      script: () => {
        throw new Error('oh no')
      },
    })
    const answer = await post(strict, '/v1/chat/completions', hello('openai-chat'))
    expect([answer.status, answer.text]).toEqual([500, expect.stringContaining('oh no')])
    expect(strict.requests[0].verdict).toMatchObject({ fact: 'crash' })
  })

  test.each<[string, unknown, string]>([
    ['a number', 5, 'a reply must be a string or an object, got 5'],
    ['nothing', undefined, 'a reply must be a string or an object, got undefined'],
    ['null', null, 'a reply must be a string or an object, got null'],
    ['a list', [], 'a reply must be a string or an object, got []'],
    ['a text that is none', { text: 5 }, '`text` of a reply must be a string, got 5'],
    ['a call without a name', { calls: [{}] }, '`name` of `calls[0]` of a reply must be a string, got undefined'],
    ['a call that is none', { calls: ['weather'] }, '`calls[0]` of a reply must be an object, got weather'],
    ['calls that are not a list', { calls: {} }, '`calls` of a reply must be a list, got {}'],
    [
      'no reason to stop',
      { stop: 'bogus' },
      '`stop` of a reply must be one of end, calls, length, refusal, pause, got bogus',
    ],
    [
      'usage that is none',
      { usage: { input: -1 } },
      '`usage` of a reply must be an object of whole numbers, got {"input":-1}',
    ],
    ['a mode that is none', { fail: 'bogus' }, "unknown mode 'bogus'"],
  ])('%s is not a reply, and the mistake is named', async (_, reply, words) => {
    for (const script of [[reply], () => reply]) {
      await using strict = await startStrict({ script: script as ReplyScript })
      const answer = await post(strict, '/v1/chat/completions', hello('openai-chat'))
      expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([500, 'false'])
      expect(answer.json().error).toMatchObject({ message: expect.stringContaining(words) })
    }
  })

  test('a listener that throws is a 500 that says so', async () => {
    await using strict = await startStrict({
      onRequest: () => {
        throw new Error('oh no')
      },
    })
    const answer = await post(strict, '/v1/chat/completions', hello('openai-chat'))
    expect([answer.status, answer.text]).toEqual([500, expect.stringContaining('oh no')])
    expect(strict.requests[0].verdict).toMatchObject({ fact: 'crash' })
  })

  test('the default script fills in what a tool requires', async () => {
    await using strict = await startStrict()
    const properties = {
      ...{ name: { type: 'string' }, count: { type: 'integer' }, unit: { enum: ['C', 'F'] }, more: { type: 'string' } },
      where: { type: 'object', properties: { zip: { type: 'string' } }, required: ['zip'] },
    }
    const parameters = { type: 'object', properties, required: ['name', 'count', 'unit', 'where'] }
    const tools = [{ type: 'function', function: { name: 'weather', parameters } }]
    const { tool_calls } = (await say(strict, { ...hello('openai-chat'), tools })) as { tool_calls: [Json] }
    const { arguments: args } = tool_calls[0].function as { arguments: string }
    expect(JSON.parse(args)).toEqual({ name: 'word', count: 1, unit: 'C', where: { zip: 'word' } })
    const forbidden = await say(strict, { ...hello('openai-chat'), tools, tool_choice: 'none' })
    expect(forbidden.content).toBe('You said: Hello')
  })

  test('the default script calls again when the user opens a turn, and goes on when words come with a result', async () => {
    await using strict = await startStrict()
    const tools = [{ type: 'function', function: { name: 'weather' } }]
    const called = { role: 'assistant', tool_calls: [{ id: 'A', function: { name: 'weather', arguments: '{}' } }] }
    const user = { role: 'user', content: 'Hello' }
    const turn = [user, called, { role: 'tool', tool_call_id: 'A', content: 'sunny' }]
    const next = (messages: Json[]) => say(strict, { messages, tools })
    expect((await next([...turn, user])).content).toBe('Done: weather gave sunny.')
    const closed = [...turn, { role: 'assistant', content: 'Done.' }]
    expect(await next([...closed, user])).toHaveProperty('tool_calls')
    // Tools that were called again would start the next background task, and so on without an end.
    const notice = { role: 'user', content: '<notice>\nTask <id>7</id> has ended.\n</notice>\n' }
    expect((await next([...closed, notice])).content).toBe('Done: weather gave sunny.')
  })

  test('the default script ends with a program that always opens another turn', async () => {
    await using strict = await startStrict()
    const tools = ['one', 'two'].map(name => ({ type: 'function', function: { name } }))
    const messages: Json[] = [{ role: 'user', content: 'Hello' }]
    for (let calls = 0; calls < 100; ) {
      const answer = (await say(strict, { messages, tools })) as Json & { tool_calls?: { id: string }[] }
      messages.push(answer)
      calls += answer.tool_calls?.length ?? 100
      for (const { id } of answer.tool_calls ?? [])
        messages.push({ role: 'tool', tool_call_id: id, content: 'ok' }, { role: 'assistant', content: 'Done.' })
      messages.push({ role: 'user', content: 'Task 7 has ended.' })
    }
    expect(messages.filter(({ role }) => role === 'tool').length).toBe(10)
  })

  test('the default script calls nothing in a conversation that its own call has opened', async () => {
    await using strict = await startStrict()
    const parameters = {
      type: 'object',
      properties: { prompt: { type: 'string', minLength: 6 } },
      required: ['prompt'],
    }
    const tools = [{ type: 'function', function: { name: 'agent', parameters } }]
    const ask = (content: unknown) => say(strict, { messages: [{ role: 'user', content }], tools })
    const { tool_calls } = (await ask('Hello')) as { tool_calls: { function: { arguments: string } }[] }
    const { prompt } = JSON.parse(tool_calls[0].function.arguments)
    const reminder = { type: 'text', text: 'Today is Monday.' }
    expect(await ask(prompt)).not.toHaveProperty('tool_calls')
    expect(await ask([reminder, { type: 'text', text: prompt }])).not.toHaveProperty('tool_calls')
    expect(await ask('in other words')).toHaveProperty('tool_calls')
  })

  describe('the default script honours the choice of tools', () => {
    const functions = ['one', 'two', 'three'].map(name => ({ name, parameters: { type: 'object' } }))
    const names = functions.map(({ name }) => name)
    const chat = functions.map(described => ({ type: 'function', function: described }))
    const items = functions.map(described => ({ type: 'function', ...described }))
    const two = { type: 'function', function: { name: 'two' } }
    const specs = names.map(name => ({ toolSpec: { name, inputSchema: { json: {} } } }))
    const gemini = (functionCallingConfig: Json) => ({
      tools: [{ functionDeclarations: functions }],
      toolConfig: { functionCallingConfig },
    })
    const some = (mode: string, tools: Json[]) => ({ type: 'allowed_tools', allowed_tools: { mode, tools } })

    const rows: [string, Api, Json][] = [
      ['chat', 'openai-chat', { tools: chat, tool_choice: two }],
      ['chat, some', 'openai-chat', { tools: chat, tool_choice: some('required', [two]) }],
      ['chat, of old', 'openai-chat', { functions, function_call: { name: 'two' } }],
      ['responses', 'openai-responses', { tools: items, tool_choice: { type: 'function', name: 'two' } }],
      [
        'responses, some',
        'openai-responses',
        { tools: items, tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ name: 'two' }] } },
      ],
      ['anthropic', 'anthropic', { tools: functions, tool_choice: { type: 'tool', name: 'two' } }],
      ['gemini', 'gemini', gemini({ mode: 'ANY', allowedFunctionNames: ['two'] })],
      ['bedrock', 'bedrock', { toolConfig: { tools: specs, toolChoice: { tool: { name: 'two' } } } }],
    ]
    test.each(rows)('%s: one by its name', async (_, api, fields) => {
      expect(await callable(api, fields)).toEqual({ mustCall: true, callable: ['two'], said: ['two', 'two'] })
    })

    test.each<[string, Api, Json]>([
      ['chat', 'openai-chat', { tools: chat, tool_choice: 'required' }],
      ['mistral', 'openai-chat', { tools: chat, tool_choice: 'any' }],
      ['responses', 'openai-responses', { tools: items, tool_choice: 'required' }],
      ['anthropic', 'anthropic', { tools: functions, tool_choice: { type: 'any' } }],
      ['gemini', 'gemini', gemini({ mode: 'ANY' })],
      ['bedrock', 'bedrock', { toolConfig: { tools: specs, toolChoice: { any: {} } } }],
    ])('%s: any, and even if all were called', async (_, api, fields) => {
      const said = ['one', 'one']
      expect(await callable(api, fields)).toEqual({ mustCall: true, callable: names, said })
    })

    test.each<[string, Api, Json]>([
      ['chat', 'openai-chat', { tools: chat, tool_choice: some('auto', [two]) }],
      ['gemini', 'gemini', gemini({ mode: 'VALIDATED', allowedFunctionNames: ['two'] })],
    ])('%s: some, if it likes', async (_, api, fields) => {
      expect(await callable(api, fields)).toEqual({ mustCall: false, callable: ['two'], said: ['two', undefined] })
    })

    test.each<[string, Api, Json]>([
      ['responses', 'openai-responses', { tools: items, tool_choice: 'none' }],
      ['anthropic', 'anthropic', { tools: functions, tool_choice: { type: 'none' } }],
      ['gemini', 'gemini', gemini({ mode: 'NONE' })],
    ])('%s: none', async (_, api, fields) => {
      const said = [undefined, undefined]
      expect(await callable(api, fields)).toEqual({ mustCall: false, callable: [], said })
    })

    /** What a request lets the model call, and what it calls at first, and once it has called everything. */
    async function callable(api: Api, fields: Json) {
      const said: (string | undefined)[] = []
      let seen: ScriptInput | undefined
      await using strict = await startStrict({
        script: asked => {
          seen = asked
          for (const turnCalls of [[], asked.tools]) {
            const reply = callEachTool({ ...asked, turnCalls })
            said.push(typeof reply === 'string' ? undefined : reply.calls?.[0].name)
          }
          return 'ok'
        },
      })
      await post(strict, paths[api].whole, { ...hello(api), ...fields })
      return { mustCall: seen?.mustCall, callable: seen?.callable, said }
    }
  })

  describe('the default script answers in JSON', () => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const fit = '{"city":"word"}'

    test.each<[string, Api, Json, string]>([
      ['chat', 'openai-chat', { response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } }, fit],
      ['chat, any object', 'openai-chat', { response_format: { type: 'json_object' } }, '{}'],
      ['responses', 'openai-responses', { text: { format: { type: 'json_schema', name: 'x', schema } } }, fit],
      ['anthropic', 'anthropic', { output_config: { format: { type: 'json_schema', schema } } }, fit],
      ['anthropic, of old', 'anthropic', { output_format: { type: 'json_schema', schema } }, fit],
      ['gemini', 'gemini', { generationConfig: { responseMimeType: 'application/json', responseSchema: schema } }, fit],
      ['gemini, in JSON schema', 'gemini', { generationConfig: { responseJsonSchema: schema } }, fit],
      ['gemini, any object', 'gemini', { generationConfig: { responseMimeType: 'application/json' } }, '{}'],
      [
        'bedrock',
        'bedrock',
        { outputConfig: { textFormat: { structure: { jsonSchema: { schema: JSON.stringify(schema) } } } } },
        fit,
      ],
    ])('%s', async (_, api, fields, answer) => {
      let reply: unknown
      await using strict = await startStrict({
        script: asked => {
          reply = callEachTool(asked)
          return 'ok'
        },
      })
      await post(strict, paths[api].whole, { ...hello(api), ...fields })
      expect(reply).toBe(answer)
    })
  })

  test('the default script reads what Cohere calls documents and outputs', async () => {
    await using strict = await startStrict()
    const called = { role: 'assistant', tool_calls: [{ id: 'A', function: { name: 'weather', arguments: '{}' } }] }
    const document = { type: 'document', document: { data: '{"sky":"blue"}' } }
    const messages = [
      { role: 'user', content: 'Go.' },
      called,
      { role: 'tool', tool_call_id: 'A', content: [document] },
    ]
    const tools = [{ type: 'function', function: { name: 'weather' } }]
    const v2 = (await post(strict, '/v2/chat', { model: 'm', messages, tools })).json()
    expect(v2.message).toMatchObject({ content: [{ text: 'Done: weather gave {"sky":"blue"}.' }] })
    const forbidden = (await post(strict, '/v2/chat', { ...hello('cohere-v2'), tools, tool_choice: 'NONE' })).json()
    expect(forbidden.message).toMatchObject({ content: [{ text: 'You said: Hello' }] })

    const call = { name: 'weather', parameters: {} }
    const tool_results = [{ call, outputs: [{ sky: 'blue' }, { sky: 'grey', wind: 2 }] }]
    const chat_history = [
      { role: 'User', message: 'Go.' },
      { role: 'chatbot', message: 'Hm.', tool_calls: [call] },
    ]
    const parameter_definitions = {
      ...{ city: { type: 'str', required: true }, days: { type: 'int', required: true }, more: { type: 'str' } },
      ...{ wide: { type: 'bool', required: true }, zips: { type: 'List[str]', required: true } },
    }
    const one = { model: 'm', tools: [{ name: 'weather', parameter_definitions }] }
    const ask = async (body: Json) => (await post(strict, '/v1/chat', { ...one, ...body })).json()
    const text = 'Done: weather gave blue\n{"sky":"grey","wind":2}.'
    expect(await ask({ message: '', chat_history, tool_results })).toMatchObject({ text })
    expect(await ask({ message: '', chat_history: [...chat_history, { role: 'TOOL', tool_results }] })).toMatchObject({
      text,
    })
    // In a single step the history has no calls.
    expect(await ask({ message: 'Go.', tool_results, force_single_step: true })).toMatchObject({ text })
    expect((await ask({ message: 'Go.' })).tool_calls).toEqual([
      { name: 'weather', parameters: { city: 'word', days: 1, wide: true, zips: [] } },
    ])
  })

  test('the same requests give the same bytes on every server', async () => {
    const run = async () => {
      await using strict = await startStrict()
      const hash = createHash('sha256')
      for (const api of apis)
        for (const path of [paths[api].whole, paths[api].stream])
          hash.update((await post(strict, path, { ...hello(api), stream: path === paths[api].stream })).bytes)
      return hash.digest('hex')
    }
    expect(await run()).toBe(await run())
  })
})
