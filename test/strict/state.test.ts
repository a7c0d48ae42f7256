import { describe, expect, test } from 'vitest'
import { type Provider, type ScriptInput, type Strict, startStrict } from '../../src/strict/index.ts'
import { dataOf, events, get, type Json, own, post } from './http.ts'

describe('stored responses', () => {
  const ask = (strict: Strict, body: Json) => post(strict, '/v1/responses', { model: 'm', ...body })

  test('a chain is kept, and read back', async () => {
    const seen: (Json[] | undefined)[] = []
    const provider: Provider = {
      ...own('openai-responses'),
      reject: ({ body }, state) => void seen.push(state.items(String((body as Json).previous_response_id))),
    }
    await using strict = await startStrict({ provider, script: ['One.', 'Two.', 'Three.'] })
    const first = (await ask(strict, { input: 'a' })).json()
    const second = (await ask(strict, { input: 'b', previous_response_id: first.id })).json()
    await ask(strict, { input: 'c', previous_response_id: second.id, stream: true })
    const texts = (items: Json[] = []) => items.map(({ content }) => (content as Json[])[0].text)
    expect(seen.map(texts)).toEqual([[], ['a', 'One.'], ['a', 'One.', 'b', 'Two.']])
    expect(await get(strict, `/v1/responses/${second.id}`)).toEqual(second)
    expect(await get(strict, `/v1/responses/${second.id}/input_items`)).toMatchObject({
      data: [{ content: [{ text: 'b' }] }],
    })
    expect(await get(strict, '/v1/responses/resp_x')).toMatchObject({
      error: { message: "Response with id 'resp_x' not found." },
    })
  })

  test('an unknown one is refused', async () => {
    await using strict = await startStrict()
    const answer = await ask(strict, { input: 'a', previous_response_id: 'resp_x' })
    expect(answer.status).toBe(400)
    expect(answer.json()).toEqual({
      error: {
        message: "Previous response with id 'resp_x' not found.",
        ...{ type: 'invalid_request_error', param: 'previous_response_id', code: 'previous_response_not_found' },
      },
    })
  })

  test('store: false keeps nothing', async () => {
    await using strict = await startStrict()
    const { id, output } = (await ask(strict, { input: 'a', store: false })).json()
    expect((await ask(strict, { input: 'b', previous_response_id: id })).status).toBe(400)
    expect(strict.state.item(String((output as Json[])[0].id))).toBeUndefined()
  })

  test('of a stream that failed only the failure is kept', async () => {
    await using strict = await startStrict({
      script: [{ calls: [{ name: 'weather' }], fail: 'overload:stream' }, 'Fine.'],
    })
    const { id: conversation } = (await post(strict, '/v1/conversations', {})).json()
    const told = dataOf(events((await ask(strict, { input: 'a', conversation, stream: true })).text))
    const { id } = told[0].response as Json
    expect(await get(strict, `/v1/responses/${id}`)).toMatchObject({ status: 'failed', output: [], error: {} })
    expect(await get(strict, `/v1/conversations/${conversation}/items`)).toMatchObject({ data: [] })
    expect((await ask(strict, { input: 'b', conversation })).status).toBe(200)
  })

  test('one that was deleted is gone', async () => {
    await using strict = await startStrict()
    const { id } = (await ask(strict, { input: 'a' })).json()
    const remove = async () => {
      const response = await fetch(`${strict.url}/v1/responses/${id}`, { method: 'DELETE' })
      return [response.status, await response.json()]
    }
    expect(await remove()).toEqual([200, { id, object: 'response', deleted: true }])
    expect(await remove()).toMatchObject([404, { error: { message: `Response with id '${id}' not found.` } }])
    expect((await ask(strict, { input: 'b', previous_response_id: id })).status).toBe(400)
  })

  test('items are found by their ids', async () => {
    await using strict = await startStrict({ script: [{ calls: [{ name: 'weather' }] }] })
    const { output } = (await ask(strict, { input: 'a' })).json()
    const [call] = output as Json[]
    expect(strict.state.item(String(call.id))).toEqual(call)
    let asked: ScriptInput | undefined
    strict.script(request => {
      asked = request
      return 'ok'
    })
    const result = { type: 'function_call_output', call_id: call.call_id, output: 'sunny' }
    await ask(strict, { input: [{ type: 'item_reference', id: call.id }, result] })
    expect(asked?.results).toEqual([{ id: call.call_id, name: 'weather', text: 'sunny' }])
  })

  test('a conversation grows', async () => {
    await using strict = await startStrict({ script: ['One.', 'Two.'] })
    const { id } = (await post(strict, '/v1/conversations', {})).json()
    await ask(strict, { input: 'a', conversation: id })
    await ask(strict, { input: 'b', conversation: { id }, store: false })
    expect(strict.state.conversation(String(id))).toHaveLength(4)
    expect(await get(strict, `/v1/conversations/${id}`)).toMatchObject({ id, object: 'conversation' })
    const items = async (query: string) => {
      const { data, ...page } = await get(strict, `/v1/conversations/${id}/items${query}`)
      expect(page).toMatchObject({ object: 'list', has_more: false })
      return (data as { content: Json[] }[]).map(({ content }) => content[0].text)
    }
    expect(await items('')).toEqual(['Two.', 'b', 'One.', 'a'])
    expect(await items('?order=asc')).toEqual(['a', 'One.', 'b', 'Two.'])
    expect(await get(strict, '/v1/conversations/conv_x/items')).toHaveProperty('error')
    expect((await ask(strict, { input: 'c', conversation: 'conv_x' })).status).toBe(404)
  })
})

describe('threads', () => {
  const tools = [{ name: 'weather', input_schema: { type: 'object' } }]
  const hi = { role: 'user', content: 'Go.' }
  const ask = (strict: Strict, body: Json) => post(strict, '/v1/messages', { model: 'claude-opus-4-8', ...body })
  const create = { messages: [hi], tools, thread: { type: 'create' } }
  const from = (id: unknown, ...messages: Json[]) => ({
    messages,
    thread: { type: 'continue', previous_message_id: id },
  })
  const answerTo = ({ content }: Json) => {
    const [{ id }] = (content as Json[]).filter(({ type }) => type === 'tool_use')
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'sunny' }] }
  }

  test('new messages are judged together with the stored ones before them', async () => {
    await using strict = await startStrict()
    const first = (await ask(strict, create)).json()
    const forgotten = await ask(strict, from(first.id, hi))
    expect(forgotten.json()).toMatchObject({
      error: { message: expect.stringMatching(/^messages\.1: `tool_use` ids were found without `tool_result`/) },
    })
    const second = (await ask(strict, { ...from(first.id, answerTo(first)), stream: true })).text
    expect(second).toContain('Done: we')
    const { message } = dataOf(events(second))[0] as { message: Json }
    expect((await ask(strict, from(message.id, hi))).json()).toMatchObject({ content: [{ type: 'tool_use' }] })
    expect(strict.requests[2].body).toMatchObject({ messages: [answerTo(first)] })
  })

  test('an unknown one is not found, in the words that clients look for', async () => {
    await using strict = await startStrict({ script: [{ text: 'Never.', fail: 'overload:stream' }, 'Fine.'] })
    const failed = dataOf(events((await ask(strict, { ...create, stream: true })).text))
    const unheld = (await ask(strict, { ...create, thread: undefined })).json()
    for (const id of ['msg_x', (failed[0].message as Json).id, unheld.id]) {
      const answer = await ask(strict, from(id, hi))
      expect(answer.status).toBe(404)
      expect(answer.json()).toMatchObject({
        type: 'error',
        error: { type: 'not_found_error', details: { error_code: 'thread_not_found' } },
      })
    }
  })

  test('a turn that was paused goes on without a new word', async () => {
    await using strict = await startStrict({ script: [{ text: 'Let me ', stop: 'pause' }, 'see.', 'Well?'] })
    const { id } = (await ask(strict, create)).json()
    expect((await ask(strict, from(id))).json()).toMatchObject({ content: [{ text: 'see.' }] })
  })
})
