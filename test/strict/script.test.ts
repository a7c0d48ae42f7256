import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type Strict, startStrict } from '../../src/strict/index.ts'
import { apis, hello, type Json, paths, post } from './wire.ts'

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
    expect(await next([...turn, { role: 'assistant', content: 'Done.' }, user])).toHaveProperty('tool_calls')
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
