import { createAnthropic } from '@ai-sdk/anthropic'
import { BedrockRuntimeClient, type ContentBlock, ConverseCommand } from '@aws-sdk/client-bedrock-runtime'
import { generateText, type ModelMessage, wrapLanguageModel } from 'ai'
import { expect, test } from 'vitest'
import { healMiddleware } from '../../src/integrations/ai-sdk/index.ts'
import { healPlugin } from '../../src/integrations/aws-sdk/index.ts'
import { openJournal, run } from '../../src/journal/index.ts'

const badSignature = 'messages.1.content.0: Invalid `signature` in `thinking` block'
const badImage = 'Could not process image'
/** What the provider says about a request: the first defect only. */
const rejectionOf = (body: string): string | undefined =>
  body.includes('from-another') ? badSignature : body.includes('"image') ? badImage : undefined

test('[SE601] healMiddleware: a prompt with two defects is accepted at the second attempt', async () => {
  let requests = 0
  const fetch: typeof globalThis.fetch = async (_, init) => {
    requests++
    const message = rejectionOf(String(init?.body))
    if (message !== undefined)
      return Response.json({ type: 'error', error: { type: 'invalid_request_error', message } }, { status: 400 })
    const usage = { input_tokens: 1, output_tokens: 1 }
    const answer = { id: 'm', type: 'message', role: 'assistant', model: 'x', stop_reason: 'end_turn', usage }
    return Response.json({ ...answer, content: [{ type: 'text', text: 'ok' }] })
  }
  const messages: ModelMessage[] = [
    { role: 'user', content: [{ type: 'file', data: png, mediaType: 'image/png' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'from-another' } } },
        { type: 'text', text: 'A cat.' },
      ],
    },
    { role: 'user', content: 'And now?' },
  ]
  const model = createAnthropic({ baseURL: 'http://any/v1', apiKey: 'a', fetch })('claude-opus-4-5')
  const healed = wrapLanguageModel({ model, middleware: healMiddleware({ onRepair() {} }) })
  const ask = () => generateText({ model: healed, messages, maxRetries: 0 })
  await expect(ask()).rejects.toThrow(badImage)
  expect(requests).toBe(2)
  expect((await ask()).text).toBe('ok')
  expect(requests).toBe(4)
})

test('[SE601] healPlugin: a command with two defects is accepted at the second attempt', async () => {
  let requests = 0
  const client = new BedrockRuntimeClient({
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  })
  client.middlewareStack.use(healPlugin({ onRepair() {} }))
  client.middlewareStack.add(
    () => async args => {
      requests++
      const message = rejectionOf(JSON.stringify(args.input))
      if (message !== undefined) throw Object.assign(new Error(message), { $metadata: { httpStatusCode: 400 } })
      return { output: { $metadata: {} }, response: {} }
    },
    { step: 'serialize', priority: 'low', name: 'provider' },
  )
  const content: ContentBlock[] = [
    { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'from-another' } } },
    { text: 'A cat.' },
  ]
  const ask = () =>
    client.send(
      new ConverseCommand({
        modelId: 'anthropic.claude-opus-4-5-20251101-v1:0',
        messages: [
          {
            role: 'user',
            content: [{ image: { format: 'png', source: { bytes: Buffer.from(png, 'base64') } } }, { text: 'Look.' }],
          },
          { role: 'assistant', content },
          { role: 'user', content: [{ text: 'And now?' }] },
        ],
      }),
    )
  await expect(ask()).rejects.toThrow(badImage)
  expect(requests).toBe(2)
  await ask()
  expect(requests).toBe(4)
})

const png = 'iVBORw0KGgoAAAANSUhEUgAAABQAAAAUCAIAAAAC64paAAAADElEQVR4nGNgoAwAAABAAAG3NHzvAAAAAElFTkSuQmCC'

test('[SE601] a thread whose messages have two defects goes on at the second attempt', async () => {
  await using journal = await openJournal('memory:')
  const thread = journal.thread('t', { for: 'anthropic' })
  let requests = 0
  let isSwitched = false
  const model = async ({ messages }: { readonly messages: readonly unknown[] }) => {
    requests++
    const message = isSwitched ? rejectionOf(JSON.stringify(messages)) : undefined
    if (message !== undefined) throw Object.assign(new Error(message), { status: 400 })
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'from-another' }
    return { role: 'assistant', stop_reason: 'end_turn', content: [thinking, { type: 'text', text: 'A cat.' }] }
  }
  const source = { type: 'base64', media_type: 'image/png', data: png }
  await thread.submit({ role: 'user', content: [{ type: 'image', source }] })
  await run(thread, { model })
  isSwitched = true
  requests = 0
  await thread.submit('And now?')
  await expect(run(thread, { model })).rejects.toThrow(badImage)
  expect(requests).toBe(2)
  await thread.submit('And now?')
  expect(await run(thread, { model })).toMatchObject({ status: 'done' })
  expect(requests).toBe(4)
})
