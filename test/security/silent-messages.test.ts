import { describe, expect, test } from 'vitest'
import { check, cutPoints, type DialectId, heal, trim } from '../../src/index.ts'
import { judge } from '../oracle/judge.ts'

const user = (...parts: object[]) => ({ id: 'u', role: 'user', parts })
const assistant = (...parts: object[]) => ({ id: 'a', role: 'assistant', parts })
const text = (words: string) => ({ type: 'text', text: words })
const step = { type: 'step-start' }
const chart = { type: 'data-chart', data: { rows: [1, 2] } }
const choice = { type: 'data-choice', data: { flight: 'TP 123' } }
const call = (id: string) => ({
  type: 'tool-showFlights',
  toolCallId: `call_${id}`,
  input: { to: 'LIS' },
  state: 'output-available',
  output: 'shown',
})

const expectAccepted = (chat: unknown[], dialect: DialectId): void => {
  expect(check(chat, { for: dialect, format: 'ai-sdk-ui' })).toEqual([])
  expect(judge(chat, 'ai-sdk-ui', dialect).filter(({ pedantic }) => !pedantic)).toEqual([])
}

/** A client's component shows the result, and a click in it is the next message of the user. */
const clicked = [
  user(text('Which flights are there?')),
  assistant(step, call('1')),
  user(choice),
  assistant(step, text('Shall I book it?')),
  user(text('Yes.')),
  assistant(step, text('Booked.')),
  user(text('Thanks.')),
]

describe('[SE675] a chat is not cut where the AI SDK would send nothing of its first message', () => {
  test.each(['anthropic', 'bedrock'] as const)('but only its role, for %s', dialect => {
    const options = { for: dialect, format: 'ai-sdk-ui' } as const
    expect(heal(clicked, options)).toBe(clicked)
    expect(cutPoints(clicked, options)).not.toContain(2)
    for (let maxMessages = 1; maxMessages <= clicked.length; maxMessages++) {
      const kept = trim(clicked, { ...options, maxMessages })
      expect(kept.length).toBeLessThanOrEqual(maxMessages)
      expectAccepted(kept, dialect)
    }
  })

  test('unless the message after it is joined with it', () => {
    const joined = clicked.toSpliced(3, 0, user(text('This one.')))
    expect(cutPoints(joined, { for: 'anthropic', format: 'ai-sdk-ui' })).toContain(2)
  })

  test('and for a provider to which it sends all messages, the cut is as before', () => {
    expect(cutPoints(clicked, { for: 'openai', format: 'ai-sdk-ui' })).toContain(2)
  })

  test('nor after the last message of which something is sent', () => {
    const chat = [user(choice), assistant(step, call('1'), call('2')), assistant(chart)]
    for (const dialect of ['deepseek', 'lenient'] as const) {
      for (const maxMessages of [1, 2]) {
        const kept = trim(chat, { for: dialect, format: 'ai-sdk-ui', maxMessages })
        expectAccepted(kept, dialect === 'lenient' ? 'openai' : dialect)
        expect(kept).toContain(chat[1])
      }
    }
  })
})
