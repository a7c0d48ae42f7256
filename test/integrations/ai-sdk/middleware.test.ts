import { createAnthropic } from '@ai-sdk/anthropic'
import { generateText, jsonSchema, type ModelMessage, type ToolSet, wrapLanguageModel } from 'ai'
import { expect, test } from 'vitest'
import { png } from '../../../src/core/rules/example-media.ts'
import { healMiddleware, healModelMessages, healSteps } from '../../../src/integrations/ai-sdk/index.ts'
import { type Strict, startStrict } from '../../../src/strict/index.ts'
import { type FailureName, failures, healthy } from '../fetch/failures.ts'
import { chats } from './chats.ts'
import type { Question, Reader, Seam } from './version.ts'
import { version6 } from './version-6.ts'
import { version7 } from './version-7.ts'

const runs = [version6, version7].flatMap(version => [false, true].map(stream => ({ version, stream })))
const cases = runs.map(run => [`${run.version.name}${run.stream ? ', streaming' : ''}`, run] as const)

/** The failures of the demo, each with the providers that it is told of; `throws` is what the library refuses itself. */
const refused: { failure: FailureName; reader: Reader; throws?: string }[] = [
  { failure: 'orphan', reader: 'openai' },
  { failure: 'orphan', reader: 'openai-responses' },
  { failure: 'orphan', reader: 'anthropic' },
  { failure: 'split', reader: 'openai' },
  { failure: 'interrupt', reader: 'anthropic', throws: 'AI_MissingToolResultsError' },
  { failure: 'system', reader: 'qwen-template' },
  { failure: 'crash', reader: 'openai' },
  { failure: 'crash', reader: 'anthropic' },
  { failure: 'unanswered', reader: 'openai', throws: 'AI_MissingToolResultsError' },
]

test.each(cases)('[AI1] %s: a conversation that is rejected without healing is answered with it', async (_, run) => {
  for (const { failure, reader, throws } of refused) {
    const name = `${failure} for ${reader}`
    const question = { reader, messages: failures[failure] }
    expectRefusal(await ask(run, { ...question, seam: 'none' }), name, throws)
    const seams: Seam[] = throws ? ['messages', 'steps'] : ['messages', 'steps', 'middleware']
    for (const seam of seams) expectAnswer(await ask(run, { ...question, seam }), `${name}, ${seam}`)
  }
})

test.each(cases)('[AI2] %s: a chat that is rejected without healing is answered with it', async (_, run) => {
  for (const { name, reader, throws, mendedBy, chat } of chats) {
    const without = await ask(run, { reader, chat, seam: 'none' })
    if (mendedBy === run.version.name) expectAnswer(without, name)
    else expectRefusal(without, name, throws)
    expectAnswer(await ask(run, { reader, chat, seam: 'middleware' }), name)
  }
})

test.each(cases)('[AI3] %s: a healthy conversation is sent as without healing', async (_, run) => {
  for (const reader of ['openai', 'openai-responses', 'anthropic', 'qwen-template'] as const) {
    const [plain, ...healed] = await Promise.all(
      (['none', 'middleware', 'messages', 'steps'] as const).map(seam => ask(run, { reader, messages: healthy, seam })),
    )
    expectAnswer(plain, reader)
    for (const { bodies } of healed) expect(bodies).toEqual(plain.bodies)
  }
})

test('[LM12] ai 7: an image beyond the limits is resized by the caller, in every form, also after a rejection', async () => {
  const [tall, wide] = [png(100, 12_000), png(4000, 100)]
  const bytesOf = (image: string) => Uint8Array.from(atob(image), letter => letter.charCodeAt(0))
  const messages: ModelMessage[] = [
    {
      role: 'user',
      content: [
        { type: 'image', image: bytesOf(tall) },
        { type: 'file', data: tall, mediaType: 'image/png' },
        { type: 'file', data: wide, mediaType: 'image/png' },
        { type: 'text', text: 'What is this?' },
      ],
    },
  ]
  await using strict = await startStrict({ provider: 'anthropic' })
  const sizes: unknown[] = []
  const bodies: string[] = []
  const rejection =
    'messages.0.content.2.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 3000 pixels'
  const plain = createAnthropic({
    ...{ baseURL: `${strict.url}/v1`, apiKey: 'any' },
    fetch: async (input, init) => {
      bodies.push(String(init?.body))
      if (!String(init?.body).includes(wide)) return fetch(input, init)
      const error = { type: 'invalid_request_error', message: rejection }
      return Response.json({ type: 'error', error }, { status: 400 })
    },
  })('claude-sonnet-4-5')
  const middleware = healMiddleware({
    onRepair() {},
    resize: async ({ width, height, limit: { side = 0 } }) => {
      sizes.push([width, height, side])
      return { data: bytesOf(png(side, 50)), mediaType: 'image/png' }
    },
  })
  await generateText({ model: wrapLanguageModel({ model: plain, middleware }), messages, maxRetries: 0 })
  expect(strict.requests.map(({ verdict }) => verdict)).toEqual(['accepted'])
  expect(bodies.map(body => [body.split(png(8000, 50)).length - 1, body.split(png(3000, 50)).length - 1])).toEqual([
    [2, 0],
    [0, 3],
  ])
  // They are made at the same time, in any order.
  expect(sizes.map(String).sort()).toEqual(['100,12000,8000', '4000,100,3000', '8000,50,3000'])
})

test('[LM8] ai 7: an image beyond the limits is a text in the first request, by middleware, step and list', async () => {
  const tall = png(100, 12_000)
  const data = Uint8Array.from(atob(tall), letter => letter.charCodeAt(0))
  const output = {
    type: 'content' as const,
    value: [
      { type: 'file' as const, data: { type: 'data' as const, data: tall }, mediaType: 'image/png' },
      { type: 'text' as const, text: 'a page' },
    ],
  }
  const messages: ModelMessage[] = [
    {
      role: 'user',
      content: [
        { type: 'image', image: data },
        { type: 'file', data: tall, mediaType: 'image/png' },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'toolu_1', toolName: 'look', input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'toolu_1', toolName: 'look', output }] },
    {
      role: 'user',
      content: [
        { type: 'image', image: png(100, 100) },
        { type: 'text', text: 'Half: \ud83d' },
      ],
    },
  ]
  const before = structuredClone(messages)
  const tools: ToolSet = { look: { inputSchema: jsonSchema({ type: 'object', properties: {} }) } }
  for (const seam of ['none', 'middleware', 'messages', 'steps']) {
    await using strict = await startStrict({ provider: 'anthropic' })
    const plain = createAnthropic({ baseURL: `${strict.url}/v1`, apiKey: 'any' })('claude-sonnet-4-5')
    const asked = generateText({
      ...{ tools, maxRetries: 0 },
      model: seam === 'middleware' ? wrapLanguageModel({ model: plain, middleware: healMiddleware() }) : plain,
      messages: seam === 'messages' ? healModelMessages(messages, { model: plain }) : messages,
      ...(seam === 'steps' ? { prepareStep: healSteps() } : {}),
    })
    if (seam === 'none') await expect(asked).rejects.toThrow(/dimensions|surrogate|valid JSON/)
    else await asked
    const { requests } = strict
    expect(requests.length, seam).toBe(1)
    if (seam === 'none') continue
    expect(requests[0].verdict, seam).toBe('accepted')
    const body = JSON.stringify(requests[0].body)
    expect(body.match(/\[image removed: image\/png, 100x12000 px, 45 bytes\]/g), seam).toHaveLength(3)
    for (const kept of [png(100, 100), 'a page', 'Half: \ufffd']) expect(body, seam).toContain(kept)
  }
  expect(messages).toEqual(before)
  const fine: ModelMessage[] = [{ role: 'user', content: [{ type: 'image', image: png(100, 100) }] }]
  expect(healModelMessages(fine, { for: 'anthropic' })).toBe(fine)
})

function expectRefusal({ error, verdicts }: Asked, name: string, throws: string | undefined): void {
  expect(error, name).toBeInstanceOf(Error)
  if (throws === undefined) expect(verdicts, name).toMatchObject([{ status: 400 }])
  else expect({ error, verdicts }, name).toMatchObject({ error: { name: throws }, verdicts: [] })
}

const expectAnswer = ({ error, verdicts }: Asked, name: string): void =>
  expect({ error, verdicts }, name).toEqual({ error: undefined, verdicts: ['accepted'] })

type Asked = Awaited<ReturnType<typeof ask>>

async function ask({ version, stream }: (typeof runs)[number], question: Omit<Question, 'url' | 'stream'>) {
  await using strict: Strict = await startStrict()
  const error = await version.ask({ url: strict.url, stream, ...question }).then(
    () => undefined,
    (error: unknown) => error,
  )
  const { requests } = strict
  return { error, verdicts: requests.map(({ verdict }) => verdict), bodies: requests.map(({ body }) => body) }
}
