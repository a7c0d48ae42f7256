import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import {
  type Api,
  findProvider,
  type ProviderRejection,
  providers,
  type ServerState,
  startStrict,
} from '../../src/strict/index.ts'
import {
  apis,
  dataOf,
  events,
  get,
  hello,
  type Json,
  lines,
  nested,
  own,
  owners,
  paths,
  post,
  raw,
  refusing,
} from './http.ts'

describe('paths', () => {
  test.each([
    ['/v1/chat/completions', 'openai', 'openai-chat', 'm'],
    ['/chat/completions', 'openai', 'openai-chat', 'm'],
    ['/v1/responses', 'openai', 'openai-responses', 'm'],
    ['/openai/v1/responses', 'openai', 'openai-responses', 'm'],
    ['/v1/messages', 'anthropic', 'anthropic', 'm'],
    ['/v1beta/models/gemini-3-pro:generateContent', 'gemini', 'gemini', 'gemini-3-pro'],
    ['/v1beta/models/gemini-3-pro%3AgenerateContent', 'gemini', 'gemini', 'gemini-3-pro'],
    ['/v1/projects/p/locations/global/publishers/google/models/g:generateContent', 'vertex', 'gemini', 'g'],
    ['/v1beta1/publishers/google/models/g:generateContent', 'vertex', 'gemini', 'g'],
    ['/vertex/v1/projects/p/locations/l/publishers/google/models/g:generateContent', 'vertex', 'gemini', 'g'],
    ['/model/anthropic.claude-v1%3A0/converse', 'bedrock', 'bedrock', 'anthropic.claude-v1:0'],
    ['/bedrock/model/arn%3Aaws%3Abedrock%2Fx/converse', 'bedrock', 'bedrock', 'arn:aws:bedrock/x'],
    ['/openai/deployments/mine/chat/completions?api-version=1', 'azure', 'openai-chat', 'mine'],
    ['/azure/openai/deployments/mine/chat/completions', 'azure', 'openai-chat', 'mine'],
    ['/deepseek/chat/completions', 'deepseek', 'openai-chat', 'm'],
    ['/deepseek/v1/chat/completions', 'deepseek', 'openai-chat', 'm'],
    ['/deepseek/anthropic/v1/messages', 'deepseek', 'anthropic', 'm'],
    ['/openrouter/api/v1/chat/completions', 'openrouter', 'openai-chat', 'm'],
    ['/qwen/compatible-mode/v1/chat/completions', 'qwen', 'openai-chat', 'm'],
    ['/glm/api/paas/v4/chat/completions', 'glm', 'openai-chat', 'm'],
    ['/groq/openai/v1/chat/completions', 'groq', 'openai-chat', 'm'],
    ['/gemini/v1beta/openai/chat/completions', 'gemini', 'openai-chat', 'm'],
    ['/lm-studio/v1/chat/completions', 'lm-studio', 'openai-chat', 'm'],
    ['/v2/chat', 'cohere', 'cohere-v2', 'm'],
    ['/cohere/v2/chat', 'cohere', 'cohere-v2', 'm'],
    ['/v1/chat', 'cohere', 'cohere-v1', 'm'],
    ['/cohere/v1/chat', 'cohere', 'cohere-v1', 'm'],
    ['/cohere/compatibility/v1/chat/completions', 'cohere', 'openai-chat', 'm'],
  ])('%s leads to %s', async (path, provider, api, model) => {
    await using strict = await startStrict()
    const { status } = await post(strict, path, { ...hello(api as Api), model: 'm' })
    expect(status).toBe(200)
    expect(strict.requests).toMatchObject([{ provider, api, model, verdict: 'accepted' }])
  })

  test('every provider answers under its own name', async () => {
    await using strict = await startStrict()
    for (const { id, api } of providers)
      for (const spoken of [api].flat())
        expect((await post(strict, `/${id}${paths[spoken].whole}`, hello(spoken))).status, `${id} ${spoken}`).toBe(200)
  })

  test.each([
    ['/v1/nothing', { error: { message: 'Invalid URL (POST /v1/nothing)', type: 'invalid_request_error' } }],
    ['/v1/v1/chat/completions', { error: { type: 'invalid_request_error' } }],
    ['/v1/v1/messages', { type: 'error', error: { type: 'not_found_error' } }],
    ['/anthropic/v1/chat/completions', { type: 'error', error: { type: 'not_found_error' } }],
    ['/v1beta/models/gemini:nothing', { error: { code: 404, status: 'NOT_FOUND' } }],
    ['/model/x/nothing', { message: expect.any(String) }],
    ['/mistral/v1/nothing', { object: 'error', message: 'no Route matched with those values' }],
    ['/cohere/v3/chat', { message: '404 page not found' }],
    ['/mistral/v1/chat', { object: 'error', message: 'no Route matched with those values' }],
  ])('%s is not found, in the shape of its API', async (path, body) => {
    await using strict = await startStrict()
    const answer = await post(strict, path, {})
    expect(answer.status).toBe(404)
    expect(answer.json()).toMatchObject(body)
    expect(strict.requests).toMatchObject([{ verdict: { fact: 'not-found', status: 404 } }])
  })

  test.each([['/v1/responses'], ['/mistral/v1/realtime']])(
    'a WebSocket at %s is rejected with 426, on which clients go on over HTTP',
    async path => {
      await using strict = await startStrict()
      const head = [`GET ${path} HTTP/1.1`, 'host: a', 'connection: Upgrade', 'upgrade: WebSocket']
      const socket = connect(strict.port, '127.0.0.1').end(`${head.join('\r\n')}\r\nsec-websocket-version: 13\r\n\r\n`)
      const answer = await text(socket)
      expect(answer).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n.*send the request over HTTP/s)
      expect(answer).toMatch(/\r\nupgrade: HTTP\/1\.1\r\n/)
      expect(strict.requests).toMatchObject([{ verdict: { fact: 'websocket', status: 426 } }])
    },
  )

  test('what is not found is told with its method, and to clients of Anthropic in its shape', async () => {
    await using strict = await startStrict()
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const answer = await fetch(`${strict.url}/v1/chat/completions`, { method })
      expect(await answer.json()).toMatchObject({ error: { message: `Invalid URL (${method} /v1/chat/completions)` } })
    }
    const headers = { 'anthropic-version': '2023-06-01' }
    const answer = await fetch(`${strict.url}/v1/files`, { headers })
    expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'not_found_error' } })
  })

  test.each([
    ['azure', '/openai/responses?api-version=2025-03-01-preview', 'azure'],
    ['azure', '/openai/v1/responses', 'azure'],
    [undefined, '/openai/responses?api-version=2025-03-01-preview', 'azure'],
    [undefined, '/openai/v1/responses', 'openai'],
    ['mistral', '/openai/v1/responses', 'openai'],
  ])('with %s as the provider %s leads to %s', async (main, path, provider) => {
    await using strict = await startStrict(main === undefined ? {} : { provider: main })
    expect((await post(strict, path, hello('openai-responses'))).status).toBe(200)
    expect(strict.requests).toMatchObject([{ provider, api: 'openai-responses' }])
  })

  test('the provider of the server answers if the path does not name one', async () => {
    await using strict = await startStrict({ provider: 'mistral' })
    await post(strict, '/v1/chat/completions', hello('openai-chat'))
    await post(strict, '/xai/v1/chat/completions', hello('openai-chat'))
    await post(strict, '/v1/messages', hello('anthropic'))
    expect(strict.requests.map(({ provider }) => provider)).toEqual(['mistral', 'xai', 'mistral'])
    expect(strict.requests[2].verdict).toMatchObject({ status: 404 })
  })

  test('models are listed in the shape of the API', async () => {
    await using strict = await startStrict()
    expect(await get(strict, '/v1/models')).toMatchObject({ object: 'list', data: [{ object: 'model' }] })
    expect(await get(strict, '/anthropic/v1/models')).toMatchObject({ data: [{ type: 'model' }], has_more: false })
    expect(await get(strict, '/v1beta/models')).toMatchObject({ models: [{ name: 'models/strict' }] })
    const asAnthropic = await fetch(`${strict.url}/v1/models`, { headers: { 'anthropic-version': '2023-06-01' } })
    expect(await asAnthropic.json()).toMatchObject({ data: [{ type: 'model' }] })
  })

  test('every model is found by its name', async () => {
    await using strict = await startStrict()
    expect(await get(strict, '/v1/models/gpt-5')).toMatchObject({ id: 'gpt-5', object: 'model', owned_by: 'openai' })
    expect(await get(strict, '/anthropic/v1/models/claude-x')).toMatchObject({ id: 'claude-x', type: 'model' })
    expect(await get(strict, '/v1beta/models/gemini-x')).toMatchObject({ name: 'models/gemini-x' })
    const headers = { 'anthropic-version': '2023-06-01' }
    const asAnthropic = await fetch(`${strict.url}/v1/models/claude-x`, { headers })
    expect(await asAnthropic.json()).toMatchObject({ id: 'claude-x', type: 'model' })
  })

  test('tokens are counted', async () => {
    await using strict = await startStrict()
    const anthropic = await post(strict, '/v1/messages/count_tokens', hello('anthropic'))
    expect(anthropic.json()).toEqual({ input_tokens: expect.any(Number) })
    const gemini = await post(strict, '/v1beta/models/g:countTokens', hello('gemini'))
    expect(gemini.json()).toEqual({ totalTokens: expect.any(Number) })
  })

  test('HEAD and OPTIONS are answered, and not recorded', async () => {
    await using strict = await startStrict()
    expect((await fetch(strict.url, { method: 'HEAD' })).status).toBe(200)
    const options = await fetch(`${strict.url}/v1/messages`, { method: 'OPTIONS' })
    expect([options.status, options.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    expect(strict.requests).toEqual([])
  })
})

describe('requests', () => {
  test('are recorded as they came', async () => {
    await using strict = await startStrict()
    const body = { ...hello('anthropic'), stream: true }
    await post(strict, '/v1/messages', body, { 'x-api-key': 'any' })
    expect(strict.requests).toEqual([
      {
        ...{ id: expect.stringMatching(/^req_01\w{22}$/), provider: 'anthropic', api: 'anthropic', method: 'POST' },
        ...{ path: '/v1/messages', model: 'm', stream: true, body, verdict: 'accepted' },
        headers: expect.objectContaining({ 'x-api-key': 'any' }),
      },
    ])
  })

  test.each<[Api, Json]>([
    ['openai-chat', { error: { type: 'invalid_request_error', param: null, code: null } }],
    ['openai-responses', { error: { type: 'invalid_request_error' } }],
    ['anthropic', { type: 'error', error: { type: 'invalid_request_error' } }],
    ['gemini', { error: { code: 400, status: 'INVALID_ARGUMENT' } }],
    ['bedrock', { message: expect.any(String) }],
    ['cohere-v2', { message: expect.any(String) }],
    ['cohere-v1', { message: expect.any(String) }],
  ])('%s: what is no JSON object is refused', async (api, body) => {
    await using strict = await startStrict()
    for (const broken of ['{"model": ', '', '[]', '"text"', 'null']) {
      const answer = await post(strict, paths[api].whole, broken)
      expect(answer.status).toBe(400)
      expect(answer.json()).toMatchObject(body)
    }
    expect(strict.requests[0]).toMatchObject({ body: '{"model": ', verdict: { fact: 'bad-json' } })
  })

  test('the script takes any object for a history', async () => {
    const odd = [{}, { messages: 1, contents: 1, input: 1, tools: 1 }, nested(null), nested(7), nested([null, 7, {}])]
    for (const api of apis) {
      await using strict = await startStrict({ provider: { ...own(api), reject: () => undefined } })
      for (const body of odd)
        for (const path of [paths[api].whole, paths[api].stream])
          expect((await post(strict, path, body)).status, `${api} ${JSON.stringify(body)}`).toBe(200)
    }
  })

  test('what is nested too deep for any parser is no JSON, and no crash', async () => {
    await using strict = await startStrict()
    const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    for (const api of apis) {
      const { whole } = paths[api]
      const history = JSON.stringify(hello(api)).replace('"Hello"', deep(400))
      for (const depth of [501, 9000, 200_000]) {
        const body = JSON.stringify({ ...hello(api), metadata: 0 }).replace('"metadata":0', `"metadata":${deep(depth)}`)
        expect((await post(strict, whole, body)).status, `${api} ${depth}`).toBe(400)
      }
      expect((await post(strict, whole, history)).text, api).not.toContain('strict_error')
    }
    for (const provider of ['vllm', 'openrouter', 'minimax', 'qwen'])
      for (const depth of [3000, 200_000]) {
        const call = { id: 'A', type: 'function', function: { name: 'f', arguments: deep(depth) } }
        const messages = [
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: 'A', content: 'x' },
        ]
        const model = 'anthropic/claude'
        const answer = await post(strict, `/${provider}/v1/chat/completions`, { model, messages })
        expect(answer.text, provider).not.toContain('strict_error')
      }
  })

  test('64 MB and no more are taken', async () => {
    await using strict = await startStrict()
    const body = (bytes: number) => `{"messages":[{"role":"user","content":"x"}]${' '.repeat(bytes - 44)}}`
    expect((await post(strict, '/v1/messages', body(64 * 2 ** 20))).status).toBe(200)
    const large = await post(strict, '/v1/messages', body(64 * 2 ** 20 + 1))
    expect(large.status).toBe(413)
    expect(large.json()).toMatchObject({ error: { type: 'request_too_large' } })
  })
})

describe('refusals', () => {
  const refusal: ProviderRejection = {
    ...{ status: 400, fact: 'xx-fact', message: 'No.', headers: { 'x-amzn-errortype': 'ValidationException' } },
    body: { message: 'No.', error: { message: 'No.', type: 'invalid_request_error' } },
  }

  test.each(apis)('%s: go over the wire as they are', async api => {
    await using strict = await startStrict({ provider: refusing(api, refusal) })
    for (const path of [paths[api].whole, paths[api].stream]) {
      const answer = await post(strict, path, { ...hello(api), stream: path === paths[api].stream })
      expect(answer.status).toBe(400)
      expect(answer.json()).toEqual(refusal.body)
      expect(answer.headers.get('x-amzn-errortype')).toBe('ValidationException')
    }
    expect(strict.requests.map(({ verdict }) => verdict)).toEqual([refusal, refusal])
  })

  test.each<[Api, (body: string) => void]>([
    ['openai-chat', body => expect(events(body)).toMatchObject([{ data: refusal.body }])],
    [
      'openai-responses',
      body =>
        expect(events(body).map(({ event }) => event)).toEqual([
          ...['response.created', 'response.in_progress', 'error', 'response.failed'],
        ]),
    ],
    ['anthropic', body => expect(events(body)).toMatchObject([{ event: 'error', data: refusal.body }])],
    ['gemini', body => expect(events(body)).toMatchObject([{ data: refusal.body }])],
    ['bedrock', body => expect(body).toMatch(/:exception-type.*validationException.*exception.*"No\."/s)],
    [
      'cohere-v2',
      body =>
        expect(events(body)).toEqual([
          {
            event: 'message-end',
            data: { type: 'message-end', delta: { error: 'No.', finish_reason: 'ERROR' } },
          },
          { data: '[DONE]' },
        ]),
    ],
    [
      'cohere-v1',
      body =>
        expect(lines(body)).toMatchObject([
          { is_finished: true, event_type: 'stream-end', finish_reason: 'ERROR', response: { text: '' } },
        ]),
    ],
  ])('%s: may come inside a stream that began well', async (api, check) => {
    await using strict = await startStrict({ provider: refusing(api, { ...refusal, inStream: true }) })
    const answer = await post(strict, paths[api].stream, { ...hello(api), stream: true })
    expect(answer.status).toBe(200)
    check(answer.text)
    expect((await post(strict, paths[api].whole, hello(api))).status).toBe(400)
  })

  test('Gemini wraps them in a list where it streams a list', async () => {
    await using strict = await startStrict({ provider: refusing('gemini', refusal) })
    const answer = await post(strict, paths.gemini.stream.replace('?alt=sse', ''), hello('gemini'))
    expect(answer.json()).toEqual([refusal.body])
  })

  test('the state says whether to be pedantic', async () => {
    const seen: boolean[] = []
    const provider = {
      ...own('openai-chat'),
      reject: (_: unknown, { pedantic }: ServerState) => void seen.push(pedantic),
    }
    for (const pedantic of [true, false]) {
      await using strict = await startStrict({ provider, pedantic })
      await post(strict, '/v1/chat/completions', hello('openai-chat'))
    }
    expect(seen).toEqual([true, false])
  })
})

describe('modes', () => {
  test.each(apis)('%s: a rate limit has the shape of the API', async api => {
    await using strict = await startStrict({ script: [{ fail: 'rate-limit' }, 'Fine.'] })
    const answer = await post(strict, paths[api].whole, hello(api))
    expect(answer.status).toBe(429)
    expect(answer.json()).toEqual(findProvider(owners[api])?.failure('rate-limit', strict.requests[0]).body)
    if (owners[api] === 'openai' || api === 'anthropic') expect(answer.headers.get('retry-after')).toBe('1')
    expect(strict.requests[0].verdict).toMatchObject({ fact: 'rate-limit' })
    expect((await post(strict, paths[api].whole, hello(api))).status).toBe(200)
  })

  test('a header asks for a mode, and for one request only', async () => {
    await using strict = await startStrict()
    const ask = (mode: string) =>
      post(strict, '/v1/messages', hello('anthropic'), { 'x-strict-mode': mode }).then(({ status }) => status)
    expect(await ask('overload')).toBe(529)
    expect(await ask('slow:1')).toBe(200)
    expect(await ask('nonsense')).toBe(400)
    expect((await post(strict, '/v1/messages', hello('anthropic'))).status).toBe(200)
  })

  test('an error in the middle keeps the numbers of the events', async () => {
    await using strict = await startStrict({ mode: 'overload:stream' })
    const all = events((await post(strict, '/v1/responses', { ...hello('openai-responses'), stream: true })).text)
    expect(dataOf(all).map(data => data.sequence_number)).toEqual(all.map((_, index) => index))
    expect(all.slice(-2).map(({ event }) => event)).toEqual(['error', 'response.failed'])
    expect(all.some(({ event }) => event === 'response.completed')).toBe(false)
    expect((await post(strict, '/v1/responses', hello('openai-responses'))).status).toBe(503)
  })

  test('a cut stream ends after half of it', async () => {
    await using strict = await startStrict({ script: () => 'A text that is long enough to be cut in the middle.' })
    const body = { ...hello('openai-chat'), stream: true }
    const full = await raw(strict, '/v1/chat/completions', body)
    const cut = await raw(strict, '/v1/chat/completions', body, { 'x-strict-mode': 'cut' })
    expect(full).toContain('[DONE]')
    expect(cut).toContain('data: ')
    expect(cut).not.toContain('[DONE]')
  })

  test('a cut stream of HTTP/2 is reset', async () => {
    await using strict = await startStrict({ mode: 'cut' })
    const session = connectHttp2(strict.url)
    const stream = session.request({ ':method': 'POST', ':path': paths.bedrock.stream })
    stream.end(JSON.stringify(hello('bedrock')))
    stream.resume()
    await expect(once(stream, 'end')).rejects.toThrow('NGHTTP2_INTERNAL_ERROR')
    session.destroy()
  })

  test('a mistake of the caller is told at once', async () => {
    await expect(startStrict({ mode: 'nonsense' as never })).rejects.toThrow("unknown mode 'nonsense'")
    await expect(startStrict({ provider: 'nobody' })).rejects.toThrow("unknown provider 'nobody'")
    await expect(startStrict({ host: '0.0.0.0' as never })).rejects.toThrow('the host must be one of')
  })
})

describe('closing', () => {
  test('ends streams that are under way, and refuses later requests', async () => {
    const strict = await startStrict({ mode: 'slow:60000', script: ['Never.'] })
    const waiting = post(strict, '/v1/chat/completions', { ...hello('openai-chat'), stream: true })
    const idle = connect(strict.port, '127.0.0.1')
    await expect.poll(() => strict.requests.length).toBe(1)
    const [outcome] = await Promise.all([waiting.catch(() => 'ended'), text(idle), strict.close()])
    expect(outcome).toBe('ended')
    await expect(fetch(strict.url)).rejects.toThrow()
    await strict.close()
  })

  test.each(['slow:60000', 'slow:0'])('a client that leaves does not disturb the others (%s)', async mode => {
    const leaving = new AbortController()
    // While the script thinks, and with the second mode while nothing else would notice.
    const script = async () => {
      leaving.abort()
      await new Promise(resolve => setTimeout(resolve, 20))
      return 'Anyone?'
    }
    await using strict = await startStrict({ script })
    const body = { ...hello('anthropic'), stream: true }
    const left = post(strict, '/v1/messages', body, { 'x-strict-mode': mode }, leaving.signal)
    await expect(left).rejects.toThrow()
    expect((await post(strict, '/v1/messages', hello('anthropic'))).status).toBe(200)
  })
})
