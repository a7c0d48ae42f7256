import { describe, expect, test, vi } from 'vitest'
import type { CallPart, Message, Part } from '../../src/core/conversation.ts'
import { gatherSession } from '../../src/doctor/move/gather.ts'
import { objectsIn, type RecordFields } from '../../src/doctor/record-format.ts'
import { copilotFormat } from '../../src/doctor/systems/copilot-cli/record-format.ts'
import { filledPart, messageContents } from '../../src/doctor/systems/gemini-cli/message.ts'

const upTo = <T>(length: number, one: (index: number) => T): T[] => Array.from({ length }, (_, index) => one(index))

/** The square of this takes far longer than a test may. */
const many = 150_000

const partsOf = (message: RecordFields): readonly Part[] =>
  messageContents(message).recordContents.flatMap(({ parts }) => parts)

describe('[SE314] the calls of one record are read in time proportional to their number, for a session that is extracted or moved', () => {
  test.each<[string, RecordFields]>([
    ['calls', { toolCalls: upTo(many, index => ({ id: `c${index}`, name: 'f', args: { index } })) }],
    ['parts', { content: upTo(many, index => ({ functionCall: { id: `c${index}`, name: 'f', args: { index } } })) }],
  ])('Gemini CLI, %s', (_, fields) => {
    const message = { id: 'g', type: 'gemini', ...fields }
    const filled = partsOf(message).map(part => filledPart(message, part))
    expect(filled).toHaveLength(many)
    expect(filled.at(-1)).toMatchObject({ kind: 'call', input: { index: many - 1 } })
  })

  test('Copilot CLI', () => {
    const entry = { data: { toolRequests: upTo(many, index => ({ toolCallId: `c${index}`, arguments: { index } })) } }
    const call = (raw: number): CallPart => ({
      ...({ kind: 'call', id: `c${raw}`, name: 'f', input: {}, callKind: 'function', by: 'client' } as const),
      raw,
    })
    const filled = upTo(many, index => copilotFormat.fill?.(entry, call(index)))
    expect(filled.at(-1)).toMatchObject({ input: { index: many - 1 } })
  })

  test('a list is filtered once', () => {
    const list = [{ a: 1 }, 'text', null, { b: 2 }]
    expect(objectsIn(list)).toEqual([{ a: 1 }, { b: 2 }])
    expect(objectsIn(list)).toBe(objectsIn(list))
    expect(objectsIn('text')).toEqual([])
  })

  test('a record with many results is parsed once for their times', () => {
    const count = 1_000
    const record = {
      at: 'line 1',
      text: JSON.stringify({ timestamp: '2026-01-01T00:00:00.000Z', padding: 'x'.repeat(10_000) }),
    }
    const call = (index: number): Part => ({
      ...({ kind: 'call', id: `c${index}`, name: 'f', input: {}, callKind: 'function', by: 'client' } as const),
    })
    const result = (index: number): Message => ({
      key: index + 2,
      role: 'tool',
      origin: 0,
      parts: [{ kind: 'result', id: `c${index}`, content: 'r', callKind: 'function', by: 'client', slot: 0 }],
    })
    const messages: Message[] = [
      { key: 0, role: 'user', origin: 0, parts: [{ kind: 'text', text: 'Go' }] },
      { key: 1, role: 'assistant', origin: 0, parts: upTo(count, call) },
      ...upTo(count, result),
    ]
    const drawing = { records: [record], messages, repairs: [], remaining: [] }
    const spy = vi.spyOn(JSON, 'parse')
    try {
      const options = { from: 'gemini-cli', to: 'pi', dialect: 'anthropic', cwd: '/x', now: Date.now() } as const
      const moved = gatherSession(drawing as never, options)
      expect(moved.messages.flatMap(({ parts }) => parts)).toHaveLength(count + 1)
      expect(spy.mock.calls.filter(([text]) => text === record.text)).toHaveLength(1)
    } finally {
      spy.mockRestore()
    }
  })
})
