import { readFileSync } from 'node:fs'
import { MessageSchema, RunAgentInputSchema } from '@ag-ui/core/schemas'
import { describe, expect, test } from 'vitest'
import { check, detect, heal, healRequest } from '../../src/index.ts'
import { history, validHistory } from '../laws/history.ts'

const fixture: { id: string; role: string }[] = JSON.parse(
  readFileSync(new URL('../fixtures/ag-ui.json', import.meta.url), 'utf8'),
)

const parses = (message: unknown): boolean => MessageSchema.safeParse(message).success

/** The schemas know the spelling of JavaScript only. */
const isCamelCase = (messages: unknown[]): boolean => !/"tool_call(s|_id)":/.test(JSON.stringify(messages))

const camelCase = (make: typeof history, wanted: number): unknown[][] => {
  const found: unknown[][] = []
  for (let seed = 0; found.length < wanted; seed += 2) {
    const { messages } = make('ag-ui', seed)
    if (isCamelCase(messages)) found.push(messages)
  }
  return found
}

describe('the schemas of the protocol', () => {
  test('take every message of a real conversation, which is healthy', () => {
    expect(fixture.filter(message => !parses(message))).toEqual([])
    expect(detect(fixture)).toBe('ag-ui')
    expect(check(fixture)).toEqual([])
    expect(heal(fixture)).toBe(fixture)
  })

  test('take every message of the valid histories that the laws are tried on', () => {
    for (const messages of camelCase(validHistory, 100))
      expect(messages.filter(message => !parses(message))).toEqual([])
  })

  /** A message that they did not take before may still be one afterwards, or stand in the one of its step; nothing else may. */
  test.each([
    { dialect: 'lenient', mostUnread: 80 },
    { dialect: 'openai', mostUnread: 40 },
  ] as const)('take what was healed for $dialect, but for what was unreadable before', ({ dialect, mostUnread }) => {
    let [read, unread, madeUp] = [0, 0, 0]
    for (const messages of camelCase(history, 400)) {
      const known = new Set(messages.map(idOf))
      const strange = new Set(messages.filter(message => !parses(message)).flatMap(idsOf))
      const healed = heal(messages, { format: 'ag-ui', for: dialect })
      const ids = healed.map(idOf)
      for (const [index, message] of healed.entries()) {
        if (!known.has(ids[index])) madeUp++
        if (parses(message)) read++
        else if (idsOf(message).some(id => strange.has(id))) unread++
        else expect(MessageSchema.parse(message)).toBe(message)
      }
      const made = ids.filter(id => !known.has(id))
      expect(new Set(made).size, 'an id was made up twice').toBe(made.length)
    }
    expect(read).toBeGreaterThan(10_000)
    expect(madeUp).toBeGreaterThan(50)
    expect(unread).toBeLessThanOrEqual(mostUnread)
  })

  test('take a whole run', () => {
    const run = { threadId: 'th_1', runId: 'run_1', state: {}, tools: [], context: [], forwardedProps: {} }
    const broken = { ...run, messages: fixture.filter(({ id }) => id !== 't-1') }
    const { body, repairs } = healRequest(broken)
    expect(repairs.map(({ rule }) => rule)).toEqual(['unanswered-call'])
    expect(RunAgentInputSchema.safeParse(body).success).toBe(true)
  })
})

const idOf = (message: unknown): unknown => (message as { id?: unknown } | null)?.id

/** The ids of a message and of its calls. */
const idsOf = (message: unknown): unknown[] => {
  const { toolCalls } = (message ?? {}) as { toolCalls?: unknown }
  return [idOf(message), ...(Array.isArray(toolCalls) ? toolCalls.map(idOf) : [])]
}
