import { describe, expect, test } from 'vitest'
import { type Asked, type Provider, type Strict, startStrict } from '../../src/strict/index.ts'
import { get, type Json, own, post } from './wire.ts'

describe('stored responses', () => {
  const ask = (strict: Strict, body: Json) => post(strict, '/v1/responses', { model: 'm', ...body })

  test('a chain is kept, and read back', async () => {
    const seen: (Json[] | undefined)[] = []
    const provider: Provider = {
      ...own('openai-responses'),
      refuse: ({ body }, state) => void seen.push(state.items(String((body as Json).previous_response_id))),
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

  test('items are found by their ids', async () => {
    await using strict = await startStrict({ script: [{ calls: [{ name: 'weather' }] }] })
    const { output } = (await ask(strict, { input: 'a' })).json()
    const [call] = output as Json[]
    expect(strict.state.item(String(call.id))).toEqual(call)
    let asked: Asked | undefined
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
    expect((await ask(strict, { input: 'c', conversation: 'conv_x' })).status).toBe(404)
  })
})
