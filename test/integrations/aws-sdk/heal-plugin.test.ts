import {
  ApplyGuardrailCommand,
  type BedrockRuntimeClient,
  type ConverseCommandInput,
  CountTokensCommand,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
  type Message,
  ValidationException,
} from '@aws-sdk/client-bedrock-runtime'
import { describe, expect, test } from 'vitest'
import { jpeg, png } from '../../../src/core/rules/example-media.ts'
import { AntiphonError } from '../../../src/index.ts'
import { type AwsReport, type HealPluginOptions, healPlugin } from '../../../src/integrations/aws-sdk/index.ts'
import { startStrict } from '../../../src/strict/index.ts'
import { anthropicMessages } from '../fetch/clients/anthropic.ts'
import { failureNames, failures, healthy } from '../fetch/failures.ts'
import { connect, converse, converseMessages, model, toolConfig } from './bedrock.ts'
import { type Answer, refusal, startRelay, startService } from './service.ts'

const forms = failureNames.flatMap(name => [false, true].map(stream => ({ name, stream })))

describe('Converse', () => {
  test.each(forms)('[AW1] $name, streaming $stream: refused without, answered with', async ({ name, stream }) => {
    await using strict = await startStrict()
    const input = { modelId: model, messages: converseMessages(failures[name]), toolConfig }
    const client = connect(strict.url)
    await expect(converse(client, input, stream)).rejects.toBeInstanceOf(ValidationException)
    await converse(healing(client), input, stream)
    expect(strict.requests.map(({ verdict }) => verdict)).toMatchObject([{ status: 400 }, 'accepted'])
    for (const { headers } of strict.requests) expect(headers.authorization).toMatch(/^AWS4-HMAC-SHA256 .*Signature=/)
    client.destroy()
  })

  test('[AW1] words of the system go to their field, and tools are declared if the history uses some', async () => {
    await using strict = await startStrict()
    const messages = converseMessages(failures.system)
    await converse(healing(connect(strict.url)), { modelId: model, messages, system: [{ text: 'Be brief.' }] })
    expect(strict.requests[0].body).toMatchObject({
      system: [{ text: 'Be brief.' }, { text: 'You are a travel agent.' }],
      toolConfig: { tools: [{ toolSpec: { name: 'run' } }] },
    })
  })

  test('[LM12] an image that is too large is resized by the caller, and stays bytes', async () => {
    await using strict = await startStrict()
    const bytesOf = (image: string) => Uint8Array.from(Buffer.from(image, 'base64'))
    const resize = async () => ({ data: bytesOf(jpeg(2000, 10)), mediaType: 'image/jpeg' })
    const image = { format: 'png' as const, source: { bytes: bytesOf(png(9000, 10)) } }
    const messages: Message[] = [{ role: 'user', content: [{ image }, { text: 'What is this?' }] }]
    await converse(healing(connect(strict.url), { resize }), { modelId: model, messages })
    expect(strict.requests.map(({ verdict }) => verdict)).toEqual(['accepted'])
    expect(strict.requests[0].body).toMatchObject({
      messages: [
        { content: [{ image: { format: 'jpeg', source: { bytes: jpeg(2000, 10) } } }, { text: 'What is this?' }] },
      ],
    })
    expect(image).toEqual({ format: 'png', source: { bytes: bytesOf(png(9000, 10)) } })
  })

  test('[AW2] a healthy command goes on as it came, and the input of the caller is never changed', async () => {
    await using server = await startService({ body: answer })
    const input = { modelId: model, messages: converseMessages(healthy), toolConfig }
    const seen: unknown[] = []
    const client = watched(connect(server.url), seen)
    await converse(client, input)
    await converse(healing(client), input)
    expect(seen[0]).toBe(seen[1])
    expect(server.requests[0].body).toEqual(server.requests[1].body)
    const broken = frozen({ modelId: model, messages: converseMessages(failures.unanswered), toolConfig })
    await converse(client, broken)
    expect(seen[2]).not.toBe(broken)
    expect((seen[2] as ConverseCommandInput).toolConfig).toBe(toolConfig)
    expect((seen[2] as ConverseCommandInput).messages?.[0]).toBe(broken.messages?.[0])
  })

  test('[AW2] documents and images in memory stay the very same objects, and arrive whole', async () => {
    await using strict = await startStrict()
    const bytes = new Uint8Array([1, 2, 3, 255])
    const image = new Uint8Array(2048).fill(7)
    const messages: Message[] = [
      {
        role: 'user',
        content: [{ text: 'Read this.' }, { document: { format: 'pdf', name: 'paper', source: { bytes } } }],
      },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'call_1', name: 'run', input: {} } }] },
      { role: 'user', content: [{ text: 'Wait.' }] },
      {
        role: 'user',
        content: [
          {
            toolResult: { toolUseId: 'call_1', content: [{ image: { format: 'png', source: { bytes: image } } }] },
          },
        ],
      },
    ]
    const seen: unknown[] = []
    await converse(healing(watched(connect(strict.url), seen)), { modelId: model, messages, toolConfig })
    const sent = (seen[0] as { messages: Message[] }).messages
    expect(sent[0].content?.[1].document?.source?.bytes).toBe(bytes)
    expect(sent[2].content?.[0].toolResult?.content?.[0].image?.source?.bytes).toBe(image)
    expect(JSON.stringify(strict.requests[0].body)).toContain(Buffer.from(image).toString('base64'))
    expect(strict.requests[0].verdict).toBe('accepted')
  })

  test('[AW3] the model tells what it insists on, and `model` tells it where an ARN does not', async () => {
    const messages = converseMessages([...healthy, { who: 'user', text: 'And on Saturday?' }])
    const llama = 'us.meta.llama4-maverick-17b-instruct-v1:0'
    const arn = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc'
    const lengths: unknown[] = []
    for (const [modelId, options] of [[model], [llama], [arn], [arn, { model: llama }]] as const) {
      await using server = await startService({ body: answer })
      await converse(healing(connect(server.url), options), { modelId, messages, toolConfig })
      lengths.push(JSON.parse(server.requests[0].body.toString()).messages.length)
    }
    expect(lengths).toEqual([3, 5, 3, 5])
  })

  test('[AW4] onRepair hears what was done, to which command and for whom', async () => {
    await using server = await startService({ body: answer })
    const reports: AwsReport[] = []
    const client = healing(connect(server.url), { onRepair: report => reports.push(report) })
    await converse(client, { modelId: model, messages: converseMessages(healthy), toolConfig })
    expect(reports).toEqual([])
    await converse(client, { modelId: model, messages: converseMessages(failures.unanswered), toolConfig })
    expect(reports).toMatchObject([
      {
        ...{ command: 'ConverseCommand', changed: true, model, dialect: 'bedrock', format: 'bedrock' },
        repairs: [{ rule: 'unanswered-call' }, { rule: 'broken-alternation' }],
      },
    ])
  })

  test.each(['high', 'normal', 'low'] as const)(
    '[AW12] what a middleware of priority %s puts in is healed, whether it was added before or after',
    async priority => {
      await using server = await startService({ body: answer })
      for (const isFirst of [true, false]) {
        const client = connect(server.url)
        const heals = () => client.middlewareStack.use(healPlugin())
        if (!isFirst) heals()
        client.middlewareStack.add(
          next => args => {
            const messages = converseMessages(failures.unanswered)
            return next({ ...args, input: { ...args.input, messages } as typeof args.input })
          },
          { step: 'initialize', priority, name: 'fromStore' },
        )
        if (isFirst) heals()
        await converse(client, { modelId: model, messages: [], toolConfig })
      }
      for (const { body } of server.requests) expect(body.toString()).toContain('toolResult')
    },
  )

  test('[AW12] every attempt of the SDK sends the same healed body, and it is told once', async () => {
    const busy = { status: 503, body: '{"message":"busy"}' }
    await using server = await startService(busy, busy, { body: answer })
    const heard: unknown[] = []
    const client = connect(server.url, 3)
    client.middlewareStack.use(healPlugin({ onRepair: report => heard.push(report) }))
    await converse(client, { modelId: model, messages: converseMessages(failures.unanswered), toolConfig })
    const bodies = server.requests.map(({ body }) => body.toString())
    expect([bodies.length, new Set(bodies).size, heard.length]).toEqual([3, 1, 1])
    expect(bodies[0]).toContain('toolResult')
  })

  test('[AW4] used twice it heals once, as the last one says', async () => {
    await using server = await startService({ body: answer })
    const heard: string[] = []
    const client = connect(server.url)
    for (const name of ['first', 'last']) client.middlewareStack.use(healPlugin({ onRepair: () => heard.push(name) }))
    await converse(client, { modelId: model, messages: converseMessages(failures.unanswered), toolConfig })
    expect(heard).toEqual(['last'])
  })
})

describe('a refusal in known words', () => {
  const behindResults = converseMessages([...healthy, { who: 'user', text: 'And on Saturday?' }])
  const arn = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc'
  const input = { modelId: arn, messages: behindResults, toolConfig }

  test.each([false, true])('[AW5] the history is read as it says, and sent once more, streaming %s', async stream => {
    await using strict = await startStrict()
    const reports: AwsReport[] = []
    const client = healing(connect(strict.url), {
      ...{ model: 'prod', pending: 'keep' },
      onRepair: report => reports.push(report),
    })
    const waiting = converseMessages(failures.unanswered.slice(0, 2))
    await converse(client, { modelId: model, messages: waiting, toolConfig }, stream)
    expect(strict.requests.map(({ verdict }) => verdict)).toMatchObject([{ fact: 'br-missing-result' }, 'accepted'])
    expect(reports).toMatchObject([{ refusal: { status: 400, fact: 'br-missing-result' } }])
  })

  test('[AW5] a model that an ARN hides is known by its refusal', async () => {
    await using server = await startService(refusal(mixed), { body: answer })
    await converse(healing(connect(server.url)), input)
    expect(server.requests.map(({ body }) => JSON.parse(body.toString()).messages.length)).toEqual([3, 5])
    expect(new Set(server.requests.map(({ headers }) => headers.authorization)).size).toBe(2)
  })

  test('[AW13] what was learnt repairs the next command before it is sent, for the same model', async () => {
    const words =
      "This model doesn't support the image content block that you provided. Update the content block and try again."
    await using server = await startService(refusal(words), { body: answer })
    const image = { image: { format: 'png' as const, source: { bytes: new Uint8Array([1, 2, 3]) } } }
    const seeing = { modelId: model, messages: [{ role: 'user' as const, content: [{ text: 'see' }, image] }] }
    const client = healing(connect(server.url))
    for (const other of [model, model, 'amazon.nova-pro-v1:0']) await converse(client, { ...seeing, modelId: other })
    const sent = server.requests.map(({ body }) => body.toString().includes('"image"'))
    expect(sent).toEqual([true, false, false, true])
    expect(seeing.messages[0].content.length).toBe(2)
  })

  test('[SE105] what one client was taught changes no command of another that has the same plugin', async () => {
    const words =
      "This model doesn't support the image content block that you provided. Update the content block and try again."
    await using server = await startService(refusal(words), { body: answer })
    const image = { image: { format: 'png' as const, source: { bytes: new Uint8Array([1, 2, 3]) } } }
    const seeing = { modelId: model, messages: [{ role: 'user' as const, content: [{ text: 'see' }, image] }] }
    const plugin = healPlugin({ onRepair() {} })
    const clients = [connect(server.url), connect(server.url)]
    for (const client of clients) client.middlewareStack.use(plugin)
    for (const client of [clients[0], clients[0], clients[1]]) await converse(client, seeing)
    expect(server.requests.map(({ body }) => body.toString().includes('"image"'))).toEqual([true, false, false, true])
  })

  test('[AW13] nor is the body of a Claude model rejected twice', async () => {
    const words = 'messages.1.content.0: Invalid `signature` in `thinking` block'
    await using server = await startService(refusal(words), { body: '{}' })
    const client = healing(connect(server.url))
    const body = JSON.stringify({
      ...{ anthropic_version: 'bedrock-2023-05-31', max_tokens: 99 },
      messages: [
        { role: 'user', content: 'one' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'from-another-model' },
            { type: 'text', text: 'two' },
          ],
        },
        { role: 'user', content: 'three' },
      ],
    })
    for (const _ of [1, 2]) await client.send(new InvokeModelCommand({ modelId: model, body }))
    const sent = server.requests.map(({ body }) => body.toString().includes('from-another-model'))
    expect(sent).toEqual([true, false, false])
  })

  const quiet: [string, Answer][] = [
    ['another refusal', refusal('The provided model identifier is invalid.')],
    ['a limit', { ...refusal(mixed, 'ThrottlingException'), status: 429 }],
    ['a key that is refused', { ...refusal(mixed, 'AccessDeniedException'), status: 403 }],
    ['a refusal that a stricter reading does not change', refusal('The conversation must start with a user message.')],
  ]
  test.each(quiet)('[AW6] there is no second request after %s', async (_, refused) => {
    await using server = await startService(refused)
    await expect(converse(healing(connect(server.url)), input)).rejects.toThrow(JSON.parse(refused.body ?? '').message)
    expect(server.requests.length).toBe(1)
  })

  test('[AW6] and never a third: the second refusal is the answer', async () => {
    const words = 'The provided model identifier is invalid.'
    await using server = await startService(refusal(mixed), refusal(words))
    await expect(converse(healing(connect(server.url)), input)).rejects.toThrow(words)
    expect(server.requests.length).toBe(2)
  })

  test('[AW6] if the second gets no answer, the first refusal is the answer', async () => {
    await using server = await startService(refusal(mixed), 'reset')
    await expect(converse(healing(connect(server.url)), input)).rejects.toThrow(mixed)
    expect(server.requests.length).toBe(2)
  })

  test('[AW6] what the caller does not allow is not done then either', async () => {
    await using server = await startService(refusal(mixed))
    await expect(converse(healing(connect(server.url), { allow: [] }), input)).rejects.toThrow(mixed)
    expect(server.requests.length).toBe(1)
  })
})

describe('InvokeModel', () => {
  const bodyOf = (name: keyof typeof failures) =>
    JSON.stringify({
      ...{ anthropic_version: 'bedrock-2023-05-31', max_tokens: 99, tools: [{ name: 'run', input_schema: schema }] },
      messages: anthropicMessages(failures[name]),
    })
  const schema = { type: 'object' }
  const refused = failureNames.filter(name => name !== 'split')

  test.each(refused)('[AW7] %s, with the body of a Claude model: refused without, answered with', async name => {
    await using strict = await startStrict()
    await using relay = await startRelay(strict.url)
    const client = connect(relay.url)
    const send = (body: string | Uint8Array) => client.send(new InvokeModelCommand({ modelId: model, body }))
    const body = bodyOf(name)
    await expect(send(body)).rejects.toBeInstanceOf(ValidationException)
    healing(client)
    await send(body)
    await send(Buffer.from(body))
    expect(strict.requests.map(({ verdict }) => verdict)).toMatchObject([{ status: 400 }, 'accepted', 'accepted'])
  })

  test('[AW7] text stays text, bytes stay bytes, and a healthy body goes on as it came', async () => {
    const seen: { body: unknown }[] = []
    await using server = await startService({ status: 400, body: '{"message":"no"}' })
    const client = healing(watched(connect(server.url), seen))
    const text = bodyOf('unanswered')
    const healthyText = text.replace(/"messages":.*/, `"messages":${JSON.stringify(anthropicMessages(healthy))} }`)
    const bodies = [text, Buffer.from(text), new Uint8Array(Buffer.from(text)).buffer, healthyText]
    for (const body of bodies) {
      const command = new InvokeModelWithResponseStreamCommand({ modelId: 'arn:aws:bedrock:abc', body: body as string })
      await expect(client.send(command)).rejects.toThrow('no')
    }
    expect(seen.map(({ body }) => (typeof body === 'string' ? 'text' : body?.constructor.name))).toEqual([
      ...['text', 'Uint8Array', 'Uint8Array', 'text'],
    ])
    expect(server.requests[0].body).toEqual(server.requests[1].body)
    expect(server.requests[0].body.toString()).not.toBe(text)
    expect(server.requests[3].body.toString()).toBe(healthyText)
  })

  test('[AW8] whatever is not a history of a Claude model goes on as it came', async () => {
    const seen: { body?: unknown }[] = []
    await using server = await startService({ status: 400, body: '{"message":"no"}' })
    const client = healing(watched(connect(server.url), seen), { onError: fail })
    const chat = '{"messages":[{"role":"tool","tool_call_id":"x","content":"late"}]}'
    const odd = [chat, '{"inputText":"Hi"}', 'no json', new Uint8Array([255, 254]), '', '{"anthropic_version":1}']
    for (const body of odd) {
      const modelId = body === chat ? 'openai.gpt-oss-120b-1:0' : model
      await expect(client.send(new InvokeModelCommand({ modelId, body }))).rejects.toThrow('no')
      expect(seen.at(-1)?.body).toBe(body)
    }
    const guardrail = { guardrailIdentifier: 'g', guardrailVersion: '1', source: 'INPUT' as const, content: [] }
    await expect(client.send(new ApplyGuardrailCommand(guardrail))).rejects.toThrow('no')
    await expect(converse(client, { modelId: model })).rejects.toThrow('no')
    expect(server.requests.length).toBe(odd.length + 2)
  })
})

test('[AW9] tokens are counted for what will be sent', async () => {
  await using server = await startService({ body: '{"inputTokens":1}' })
  const client = healing(connect(server.url))
  const messages = converseMessages(failures.unanswered)
  const body = Buffer.from(JSON.stringify({ messages: anthropicMessages(failures.unanswered) }))
  await client.send(new CountTokensCommand({ modelId: model, input: { converse: { messages, toolConfig } } }))
  await client.send(new CountTokensCommand({ modelId: model, input: { invokeModel: { body } } }))
  const [{ input }, { input: other }] = server.requests.map(({ body }) => JSON.parse(body.toString()))
  expect(input.converse.messages[2].content[0]).toHaveProperty('toolResult')
  const inner = JSON.parse(Buffer.from(other.invokeModel.body, 'base64').toString())
  expect(inner.messages[2].content[0]).toMatchObject({ type: 'tool_result' })
})

test('[AW10] no command fails because of healing or of a listener', async () => {
  await using server = await startService({ body: answer })
  const errors: unknown[] = []
  const client = healing(connect(server.url), { onError: error => errors.push(error) })
  const messages = converseMessages(failures.unanswered)
  const trap = new Proxy(messages, {
    get: (list, key, receiver) => {
      if (key === 'length' && errors.length === 0) throw new Error('a trap')
      return Reflect.get(list, key, receiver)
    },
  })
  await converse(client, { modelId: model, messages: trap, toolConfig })
  expect(errors).toMatchObject([{ message: 'a trap' }])
  const failing = healing(connect(server.url), { onRepair: fail })
  const warned = new Promise<Error>(resolve => process.once('warning', resolve))
  await converse(failing, { modelId: model, messages, toolConfig })
  expect(await warned).toMatchObject({ name: 'AntiphonWarning' })
  expect(server.requests.length).toBe(2)
})

test('[AW10] a choice that does not exist is refused before any command', () => {
  expect(() => healPlugin({ orphans: 'keep' as 'drop' })).toThrow(AntiphonError)
})

const mixed = 'messages.2.content: Conversation blocks and tool result blocks cannot be provided in the same turn.'

const answer = JSON.stringify({
  ...{ output: { message: { role: 'assistant', content: [{ text: 'Yes.' }] } }, stopReason: 'end_turn' },
  ...{ usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 }, metrics: { latencyMs: 1 } },
})

function healing(client: BedrockRuntimeClient, options: HealPluginOptions = { onError: fail }): BedrockRuntimeClient {
  client.middlewareStack.use(healPlugin(options))
  return client
}

/** Keeps what reaches the serialiser. */
function watched(client: BedrockRuntimeClient, seen: unknown[]): BedrockRuntimeClient {
  client.middlewareStack.add(
    next => args => {
      seen.push(args.input)
      return next(args)
    },
    { step: 'serialize' },
  )
  return client
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(Object.freeze(value))) frozen(inner)
  return value
}

function fail(error: unknown): never {
  throw error
}
