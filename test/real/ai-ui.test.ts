import {
  convertToModelMessages,
  generateText,
  jsonSchema,
  type ToolSet,
  tool,
  type UIMessage,
  validateUIMessages,
} from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { describe, expect, test } from 'vitest'
import { convert, heal, repair } from '../../src/index.ts'
import { history } from '../laws/history.ts'

/** What the SDK itself makes of messages that a chat stored: it throws, or asks the model. */
describe('the AI SDK', () => {
  const corrupted = Array.from({ length: 280 }, (_, index) => history('ai-sdk-ui', 2 * index).messages).filter(
    isOfToday,
  )

  test('takes healed messages, and throws on many as they were', async () => {
    let refused = 0
    let sent = 0
    for (const messages of corrupted) {
      const healed = repair(messages, { for: 'lenient', format: 'ai-sdk-ui' })
      if (healed.remaining.some(({ rule }) => rule === 'unreadable-message')) continue
      if ((await refusal(messages))?.includes('MissingToolResults')) refused++
      expect(await refusal(healed.messages)).toBe(undefined)
      sent++
    }
    expect(sent).toBeGreaterThan(200)
    expect(refused).toBeGreaterThan(50)
  })

  test.each([
    ['a call that nobody ran', { state: 'input-available' }, '[no result]'],
    ['a call without a state', {}, '[no result]'],
    ['a request for approval', { state: 'approval-requested', approval: { id: 'ap1' } }, '[no result]'],
    ['an approval, long ago', { state: 'approval-responded', approval: { id: 'ap1', approved: true } }, '[no result]'],
    ['a denial', { state: 'approval-responded', approval: { id: 'ap1', approved: false, reason: 'no' } }, '"no"'],
    ['an output that no state tells of', { output: 'booked' }, '"booked"'],
  ])('takes and validates what becomes of %s', async (_, fields, words) => {
    const messages = conversation(fields)
    const healed = heal(messages)
    expect(healed).not.toBe(messages)
    await expect(validateUIMessages({ messages: healed })).resolves.toEqual(healed)
    expect(await refusal(healed)).toBe(undefined)
    const { prompt } = model.doGenerateCalls.at(-1) ?? { prompt: [] }
    expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
    expect(JSON.stringify(prompt[2].content)).toContain(words)
  })

  test('leaves out a call whose arguments were still coming, which is left as it is', async () => {
    const messages = conversation({ state: 'input-streaming', input: { city: 'Lis' } })
    expect(heal(messages)).toBe(messages)
    expect(await refusal(messages)).toBe(undefined)
    expect(model.doGenerateCalls.at(-1)?.prompt.map(({ role }) => role)).toEqual(['user', 'user'])
  })

  test.each([
    [
      'arguments that could not be read',
      { state: 'output-error', input: undefined, rawInput: { city: 'Paris' } },
      'Paris',
    ],
    ['a tool that gave back null', { state: 'output-available', output: null }, '{"type":"json","value":null}'],
    ['a tool that gave back nothing', { state: 'output-available' }, '{"type":"json","value":null}'],
  ])('takes %s, which are left as they are', async (_, fields, words) => {
    const messages = conversation({ errorText: 'bad', ...fields })
    for (const reader of ['lenient', 'openai', 'anthropic', 'gemini'] as const)
      expect(heal(messages, { for: reader })).toBe(messages)
    expect(await refusal(messages)).toBe(undefined)
    expect(JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)).toContain(words)
  })

  test('reads what the user threw in as a message of the user, as it is read here', async () => {
    const [user, assistant, next] = conversation({ state: 'output-available', output: 'booked' })
    const parts = [...assistant.parts, steering, { type: 'step-start' }, { type: 'text', text: 'Two.' }]
    const messages = [user, { ...assistant, parts }, next] as UIMessage[]
    for (const reader of ['lenient', 'gemini', 'bedrock'] as const)
      expect(heal(messages, { for: reader })).toBe(messages)
    await expect(validateUIMessages({ messages })).resolves.toEqual(messages)
    expect((await convertToModelMessages(messages)).map(({ role }) => role)).toEqual(
      convert(messages, { to: 'openai-chat' }).map(message => (message as { role: string }).role),
    )
  })

  test('runs an approved call at the end, which is left as it is', async () => {
    const [user, assistant] = conversation({ state: 'approval-responded', approval: { id: 'ap1', approved: true } })
    const messages = [user, assistant]
    expect(heal(messages)).toBe(messages)
    expect(await refusal(messages)).toBe(undefined)
  })
})

const steering = { type: 'steering-message', id: 's1', parts: [{ type: 'text', text: 'Go left.' }] }

/** The SDK of today reads no messages of version 4. */
const isOfToday = (messages: unknown[]): boolean => !JSON.stringify(messages).includes('"tool-invocation"')

const model = new MockLanguageModelV4({
  supportedUrls: { '*/*': [/.*/] },
  doGenerate: {
    content: [{ type: 'text', text: 'Done.' }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
    warnings: [],
  },
})

const names = ['search', 'read_file', 'edit-file', 'bash', 'get_forecast', 'query_db', 'book']
const run = tool({ inputSchema: jsonSchema({}), execute: () => 'ran' })
const tools: ToolSet = Object.fromEntries(names.map(name => [name, run]))

/** Why the SDK throws instead of asking the model; undefined if it asks. */
async function refusal(messages: readonly unknown[]): Promise<string | undefined> {
  try {
    const asked = model.doGenerateCalls.length
    await generateText({
      model,
      tools,
      messages: await convertToModelMessages(messages as UIMessage[]),
      allowSystemInMessages: true,
    })
    expect(model.doGenerateCalls.length).toBe(asked + 1)
    return undefined
  } catch (error) {
    return String(error)
  }
}

function conversation(fields: object): UIMessage[] {
  const call = { type: 'tool-book', toolCallId: 'call_1', input: { city: 'Lisbon' }, ...fields }
  return [
    { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Book a flight to Lisbon' }] },
    { id: 'm2', role: 'assistant', parts: [{ type: 'step-start' }, call as UIMessage['parts'][number]] },
    { id: 'm3', role: 'user', parts: [{ type: 'text', text: 'Hello?' }] },
  ]
}
