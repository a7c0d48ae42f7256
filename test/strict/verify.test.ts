import { describe, expect, test } from 'vitest'
import { type ReplyScript, type Strict, startStrict } from '../../src/strict/index.ts'
import { type Json, post } from './http.ts'

const user = (content: unknown) => ({ role: 'user', content })
const script: ReplyScript = [
  { thinking: 'Let me see.', calls: [{ name: 'weather' }] },
  { thinking: 'Well.', text: 'Sunny.' },
]

/** A provider whose thinking is signed: how it is asked, and how a conversation with its answer goes on. */
interface Signing {
  name: string
  /** Where a model is asked. */
  path(model: string): string
  models: readonly [string, string]
  key: string
  first: Json
  next(answer: Json): Json
  fact: string
  text: RegExp
}

const weather = { name: 'weather', input_schema: { type: 'object' } }
const signing: Signing[] = [
  {
    name: 'anthropic',
    path: () => '/v1/messages',
    models: ['claude-opus-4-5', 'claude-sonnet-4-5'],
    key: 'x-api-key',
    first: {
      max_tokens: 99,
      tools: [weather],
      thinking: { type: 'enabled', budget_tokens: 50 },
      messages: [user('Go.')],
    },
    next: ({ content }) => ({
      messages: [
        user('Go.'),
        { role: 'assistant', content },
        user([{ type: 'tool_result', tool_use_id: (content as Json[])[1].id, content: 'sunny' }]),
      ],
    }),
    fact: 'an-think-signature',
    text: /^messages\.1\.content\.0: Invalid `signature` in `thinking` block$/,
  },
  {
    name: 'gemini',
    path: model => `/v1beta/models/${model}:generateContent`,
    models: ['gemini-3-pro', 'gemini-3-flash'],
    key: 'x-goog-api-key',
    first: { contents: [{ role: 'user', parts: [{ text: 'Go.' }] }] },
    next: ({ candidates }) => ({
      contents: [
        { role: 'user', parts: [{ text: 'Go.' }] },
        (candidates as { content: Json }[])[0].content,
        { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { output: 'sunny' } } }] },
      ],
    }),
    fact: 'ge-sig-corrupted',
    text: /^Corrupted thought signature\.$/,
  },
  {
    name: 'openai',
    path: () => '/v1/responses',
    models: ['gpt-5.5', 'gpt-5-mini'],
    key: 'authorization',
    first: { store: false, include: ['reasoning.encrypted_content'], input: [user('Go.')] },
    next: ({ output }) => {
      const [, { call_id }] = output as Json[]
      return { input: [user('Go.'), ...(output as Json[]), { type: 'function_call_output', call_id, output: 'sunny' }] }
    },
    fact: 'or-encrypted',
    text: /^The encrypted content (gAAA\.\.\.|for item rs_\w+) could not be verified\. Reason: /,
  },
  {
    name: 'bedrock',
    path: model => `/model/${model}/converse`,
    models: ['anthropic.claude-opus-4-5-v1:0', 'anthropic.claude-sonnet-4-5-v1:0'],
    key: 'authorization',
    first: {
      messages: [user([{ text: 'Go.' }])],
      toolConfig: { tools: [{ toolSpec: { name: 'weather', inputSchema: { json: { type: 'object' } } } }] },
      additionalModelRequestFields: { thinking: { type: 'enabled', budget_tokens: 50 } },
    },
    next: ({ output }) => {
      const { message } = output as { message: { content: { toolUse?: { toolUseId: string } }[] } }
      const toolUseId = message.content[1].toolUse?.toolUseId
      return {
        messages: [
          user([{ text: 'Go.' }]),
          message,
          user([{ toolResult: { toolUseId, content: [{ text: 'sunny' }] } }]),
        ],
      }
    },
    fact: 'br-think',
    text: /: messages\.1\.content\.0: Invalid `signature` in `thinking` block$/,
  },
]

describe.each(signing)('what $name signed', ({ path, models: [model, other], key, first, next, fact, text }) => {
  const ask = (strict: Strict, body: Json, as = model, account = 'one') =>
    post(strict, path(as), { model: as, ...body }, { [key]: account })
  const refused = { fact, status: 400, message: expect.stringMatching(text) }

  /** What becomes of the second request of a conversation that another server, model or account may be asked to go on with. */
  async function verdictOf(goOn: (strict: Strict, body: Json) => Promise<unknown>, verify = false): Promise<unknown> {
    await using strict = await startStrict({ script, verify })
    const answer = (await ask(strict, first)).json()
    await goOn(strict, { ...first, ...next(answer) })
    return strict.requests[1].verdict
  }

  test.each([false, true])('[S5] verifies where it was made, with verify: %s', async verify => {
    expect(await verdictOf((strict, body) => ask(strict, body), verify)).toBe('accepted')
  })

  test('[S5] does not verify for another model', async () => {
    expect(await verdictOf((strict, body) => ask(strict, body, other))).toMatchObject(refused)
  })

  test('[S5] does not verify for another account', async () => {
    expect(await verdictOf((strict, body) => ask(strict, body, model, 'two'))).toMatchObject(refused)
  })

  test('[S5] does not verify at another server, also after that one made some itself', async () => {
    await using elsewhere = await startStrict({ script: [...script, ...script] })
    await verdictOf((_strict, body) => ask(elsewhere, body).then(() => ask(_strict, body)))
    expect(elsewhere.requests[0].verdict).toMatchObject(refused)
    await ask(elsewhere, JSON.parse(JSON.stringify(first).replace('Go.', 'Go on.')))
    const own = await verdictOf((strict, body) => ask(elsewhere, body).then(() => ask(strict, body)))
    expect(own).toBe('accepted')
    expect(elsewhere.requests[2].verdict).toMatchObject(refused)
  })

  test('[S6] with verify, no signature of a real provider is accepted; without it is', async () => {
    const real = (body: Json): Json =>
      JSON.parse(JSON.stringify(body).replaceAll(/(E\w{14}|gAAAAAB)strict\w+/g, '$1c2lnbmVkIGJ5IGFub3RoZXI'))
    const goOn = (strict: Strict, body: Json) => ask(strict, real(body))
    expect(await verdictOf(goOn)).toBe('accepted')
    expect(await verdictOf(goOn, true)).toMatchObject(refused)
  })
})

describe('what an account has', () => {
  const ask = (strict: Strict, body: Json, account?: string) =>
    post(strict, '/v1/responses', { model: 'gpt-5.5', ...body }, account ? { authorization: `Bearer ${account}` } : {})

  test('[S5] a response, an item and a conversation are found by nobody else', async () => {
    await using strict = await startStrict({ script: [{ thinking: 'Hm.', text: 'One.' }] })
    const { id, output } = (await ask(strict, { input: 'a' }, 'one')).json() as { id: string; output: Json[] }
    const { id: conversation } = (await post(strict, '/v1/conversations', {}, { authorization: 'Bearer one' })).json()
    const item = { type: 'item_reference', id: output[0].id }
    const bodies = [
      { input: 'b', previous_response_id: id },
      { input: [item, output[1], user('b')] },
      { input: 'b', conversation },
    ]
    for (const body of bodies) expect((await ask(strict, body, 'one')).status).toBe(200)
    const refusals = []
    for (const body of bodies) {
      const answer = await ask(strict, body, 'two')
      refusals.push([answer.status, (answer.json().error as Json).message])
    }
    expect(refusals).toEqual([
      [400, `Previous response with id '${id}' not found.`],
      [404, expect.stringContaining(`Item with id '${output[0].id}' not found.`)],
      [404, `Conversation with id '${conversation}' not found.`],
    ])
  })

  test('[S6] with verify, an id of another server leads nowhere', async () => {
    const input = [{ type: 'reasoning', id: 'rs_1', summary: [] }, { ...user('a'), role: 'assistant' }, user('b')]
    for (const [verify, status] of [
      [false, 200],
      [true, 404],
    ] as const) {
      await using strict = await startStrict({ verify })
      expect((await ask(strict, { input }, 'one')).status).toBe(status)
    }
  })

  test('[S5] words that were not signed are not those of the signature', async () => {
    await using strict = await startStrict({ script: [{ thinking: 'Hm.', text: 'One.' }] })
    const body = { model: 'claude-opus-4-5', max_tokens: 99 }
    const { content } = (await post(strict, '/v1/messages', { ...body, messages: [user('a')] })).json()
    const [thought, words] = content as Json[]
    const go = (block: Json) =>
      post(strict, '/v1/messages', {
        ...body,
        messages: [user('a'), { role: 'assistant', content: [block, words] }, user('b')],
      })
    expect((await go(thought)).status).toBe(200)
    expect((await go({ ...thought, thinking: 'Ha.' })).json()).toMatchObject({
      error: { message: 'messages.1.content.0: Invalid `signature` in `thinking` block' },
    })
  })
})
