import { expect, test } from 'vitest'
import { drawTape } from '../../src/apps/cli/commands/tape-drawing.ts'
import { painter } from '../../src/apps/cli/paint.ts'
import { inspect } from '../../src/observe/tape/inspect.ts'
import { readTape } from '../../src/observe/tape/read-tape.ts'

type Event = Record<string, unknown>

const many = 2_000
const numbers = Array.from({ length: many }, (_, index) => index)
const request = (id: string, ...messages: object[]): Event => ({
  ...{ kind: 'request', id, wire: 'openai-chat', dialect: 'openai' },
  body: { model: 'gpt-5', messages: [{ role: 'user', content: 'Go' }, ...messages] },
})
const malformed = request('bad', { role: 'tool', tool_call_id: 'call_1', content: 'lost' })
const call = (index: number): object => ({
  id: `c${index}`,
  type: 'function',
  function: { name: 'f', arguments: '{}' },
})
const response = (...calls: object[]): Event => ({
  ...{ kind: 'response', request: 'good', status: 200 },
  body: { choices: [{ message: { role: 'assistant', content: null, tool_calls: calls } }] },
})
const starts = numbers.map(index => ({ kind: 'call-start', call: `c${index}` }))

const tapes: Record<string, Event[]> = {
  'one response with all calls': [request('good'), response(...numbers.map(call)), malformed],
  'a response for each call': [request('good'), ...numbers.map(index => response(call(index))), malformed],
  'many responses, each to a request with all calls': [
    request('good'),
    response(...numbers.map(call)),
    ...numbers.map(() => ({ kind: 'response', request: 'good', status: 200 })),
    malformed,
  ],
  'inputs while all calls run': [request('good'), ...starts, ...numbers.map(() => ({ kind: 'input' })), malformed],
}

test.each(Object.entries(tapes))(
  '[SE700] the first failure of a tape is found and drawn, whatever came before: %s',
  (_, events) => {
    const head = { kind: 'tape', version: 1, at: 0, from: 'w' }
    const lines = [head, ...events.map((event, index) => ({ at: index, order: index + 1, from: 'w', ...event }))]
    const { entries } = readTape(lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    const inspection = inspect(entries)
    const drawn = drawTape(entries, inspection, painter(process.stdout), 100, 200)
    expect(inspection.firstFailure).toMatchObject({ request: 2, why: 'malformed', healthy: 1 })
    expect(inspection.firstFailure?.story.length).toBeLessThan(30)
    expect(drawn).toHaveLength(Math.min(events.length, 200) + 1 + Number(events.length > 200))
  },
)
