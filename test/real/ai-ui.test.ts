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
import { heal, repair } from '../../src/index.ts'
import { history } from '../laws/history.ts'

/** What the SDK itself makes of messages that a chat stored: it throws, or asks the model. */
describe('the AI SDK', () => {
  const corrupted = Array.from({ length: 240 }, (_, index) => history('ai-sdk-ui', 2 * index).messages)

  test('takes healed messages, and throws on many as they were', async () => {
    let refused = 0
    let sent = 0
    for (const messages of corrupted) {
      const healed = repair(messages, { for: 'lenient' })
      if (healed.remaining.some(({ rule }) => rule === 'unreadable-message')) continue
      if ((await refusal(messages))?.includes('MissingToolResults')) refused++
      expect(await refusal(healed.messages)).toBe(undefined)
      sent++
    }
    expect(sent).toBeGreaterThan(200)
    expect(refused).toBeGreaterThan(50)
  })

  test.each([
    ['a call whose arguments were still coming', { state: 'input-streaming', input: undefined }, '[no result]'],
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

  test('runs an approved call at the end, which is left as it is', async () => {
    const [user, assistant] = conversation({ state: 'approval-responded', approval: { id: 'ap1', approved: true } })
    const messages = [user, assistant]
    expect(heal(messages)).toBe(messages)
    expect(await refusal(messages)).toBe(undefined)
  })
})

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
