import { generateText, jsonSchema, type ModelMessage, type ToolSet, tool } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { detect, heal, repair } from '../../src/index.ts'
import { history, validHistory } from '../laws/history.ts'

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
const execute = vi.fn(() => 'ran')
const tools: ToolSet = Object.fromEntries(names.map(name => [name, tool({ inputSchema: jsonSchema({}), execute })]))

beforeEach(() => {
  execute.mockClear()
  globalThis.AI_SDK_LOG_WARNINGS = false
})

/** What the library itself makes of a history: it throws, or asks the model. */
describe('the AI SDK', () => {
  const corrupted = Array.from({ length: 260 }, (_, index) => history('ai-sdk', 2 * index).messages)

  test('takes healed histories, and sends one result for every call', async () => {
    let refused = 0
    let sent = 0
    for (const [index, messages] of corrupted.entries()) {
      const { messages: healed } = repair(messages, { format: 'ai-sdk', for: 'lenient' })
      if (healed.length === 0 || !healed.every(isModelMessage)) continue
      if (await refusal(messages)) refused++
      expect(await refusal(healed), `seed ${2 * index}`).toBe(undefined)
      expect(unpaired(), `seed ${2 * index}`).toEqual([])
      sent++
    }
    expect(sent).toBeGreaterThan(200)
    expect(refused).toBeGreaterThan(80)
  })

  test('takes valid histories as they are', async () => {
    let sent = 0
    for (let seed = 0; seed < 60; seed++) {
      const { messages } = validHistory('ai-sdk', seed)
      if (!messages.every(isModelMessage)) continue
      expect(heal(messages)).toBe(messages)
      expect(await refusal(messages), `seed ${seed}`).toBe(undefined)
      expect(unpaired(), `seed ${seed}`).toEqual([])
      sent++
    }
    expect(sent).toBeGreaterThan(50)
  })

  test.each([
    ['a call that nobody ran', [user, calling(), user]],
    ['a request that nobody answered', [user, calling(asking)]],
    ['an approval request that the user did not answer', [user, calling(asking), user]],
    ['a request that was answered too late', [user, calling(asking), user, says(granted)]],
    ['an approved call that never ran', [user, calling(asking), says(granted), user]],
    ['an approval that is not in the last message', [user, calling(asking, other), says(granted), says(done('c2'))]],
    ['a denial', [user, calling(asking), says(denied)]],
    ['a denial behind the result of another call', [user, calling(other, asking), says(done('c2'), denied)]],
    ['an answer to no request', [user, calling(), says(done('c1')), user, says(granted)]],
    ['an approved call whose result stands in front of it', [says(done('c1')), user, calling(asking), says(granted)]],
    [
      'a result that says nothing',
      [user, calling(), says({ type: 'tool-result', toolCallId: 'c1', toolName: 'book' })],
    ],
    ['a result that the assistant holds', [user, calling(done('c1')), user]],
  ])('sends %s with one result', async (_, messages) => {
    expect(detect(messages)).toBe('ai-sdk')
    const healed = heal(messages)
    expect(healed).not.toBe(messages)
    expect(await refusal(healed)).toBe(undefined)
    expect(unpaired()).toEqual([])
    expect(execute).not.toHaveBeenCalled()
  })

  test('runs an approved call at the end once, beside results that were made up', async () => {
    const messages = [user, calling(other, asking), says(granted)]
    expect(await refusal(messages)).toContain('MissingToolResults')
    execute.mockClear()
    expect(await refusal(heal(messages))).toBe(undefined)
    expect(unpaired()).toEqual([])
    expect(execute).toHaveBeenCalledTimes(1)
  })
})

const user = { role: 'user', content: 'Book it.' }
const calling = (...parts: readonly object[]): object => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'book', input: {} }, ...parts],
})
const says = (...parts: readonly object[]): object => ({ role: 'tool', content: parts })
const done = (toolCallId: string): object => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'book',
  output: { type: 'text', value: 'booked' },
})
const other = { type: 'tool-call', toolCallId: 'c2', toolName: 'book', input: {} }
const asking = { type: 'tool-approval-request', approvalId: 'ap1', toolCallId: 'c1' }
const granted = { type: 'tool-approval-response', approvalId: 'ap1', approved: true }
const denied = { type: 'tool-approval-response', approvalId: 'ap1', approved: false, reason: 'too dear' }

/** Why the library throws instead of asking the model; undefined if it asks. */
async function refusal(messages: readonly unknown[]): Promise<string | undefined> {
  try {
    await generateText({ model, tools, messages: messages as ModelMessage[], allowSystemInMessages: true })
    return undefined
  } catch (error) {
    return String(error)
  }
}

/** The calls and results that lack the other half in what the model was sent last, calls of the provider aside. */
function unpaired(): string[] {
  const lacking: string[] = []
  const hosted = new Set<string>()
  let open: string[] = []
  for (const { role, content } of model.doGenerateCalls.at(-1)?.prompt ?? []) {
    if (role === 'tool') {
      for (const part of content) {
        if (part.type !== 'tool-result') continue
        if (!open.includes(part.toolCallId) && !hosted.has(part.toolCallId)) lacking.push(part.toolCallId)
        open = open.filter(id => id !== part.toolCallId)
      }
      continue
    }
    lacking.push(...open)
    open = []
    if (role !== 'assistant') {
      hosted.clear()
      continue
    }
    for (const part of content) {
      if (part.type !== 'tool-call') continue
      if (part.providerExecuted) hosted.add(part.toolCallId)
      else open.push(part.toolCallId)
    }
  }
  return [...lacking, ...open]
}

const roles = new Set<unknown>(['system', 'user', 'assistant', 'tool'])

/** Whether a message is of the library's own shape, in its present version: no dialect repairs one that is not. */
function isModelMessage(message: unknown): boolean {
  const { role, content } = (message ?? {}) as { role?: unknown; content?: unknown }
  if (!roles.has(role)) return false
  if (!Array.isArray(content)) return typeof content === 'string'
  return content.every(part => typeof part === 'object' && part !== null && !('args' in part) && !('result' in part))
}
