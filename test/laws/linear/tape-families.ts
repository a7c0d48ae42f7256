import { drawTape } from '../../../src/apps/cli/commands/tape-drawing.ts'
import { painter } from '../../../src/apps/cli/paint.ts'
import { inspect } from '../../../src/observe/tape/inspect.ts'
import { readTape } from '../../../src/observe/tape/read-tape.ts'
import type { Trial } from './find-steep.ts'

type Event = Record<string, unknown>

const request = (id: string, ...messages: object[]): Event => ({
  ...{ kind: 'request', id, wire: 'openai-chat', dialect: 'openai' },
  body: { model: 'gpt-5', messages: [{ role: 'user', content: 'Go' }, ...messages] },
})
const malformed = request('bad', { role: 'tool', tool_call_id: 'call_1', content: 'lost' })
const call = (index: number): object => ({
  ...{ id: `c${index}`, type: 'function' },
  function: { name: 'f', arguments: '{}' },
})
const response = (...calls: object[]): Event => ({
  ...{ kind: 'response', request: 'good', status: 200 },
  body: { choices: [{ message: { role: 'assistant', content: null, tool_calls: calls } }] },
})

const many = <T>(length: number, one: (index: number) => T): T[] => Array.from({ length }, (_, index) => one(index))

const tapes: Record<string, (length: number) => Event[]> = {
  'one response with all calls': length => [request('good'), response(...many(length, call)), malformed],
  'a response for each call': length => [request('good'), ...many(length, index => response(call(index))), malformed],
  'many responses, each to a request with all calls': length => [
    request('good'),
    response(...many(length, call)),
    ...many(length, () => ({ kind: 'response', request: 'good', status: 200 })),
    malformed,
  ],
  'inputs while all calls run': length => [
    request('good'),
    ...many(length, index => ({ kind: 'call-start', call: `c${index}` })),
    ...many(length, () => ({ kind: 'input' })),
    malformed,
  ],
}

export function* tapeTrials(): Generator<Trial> {
  for (const [name, write] of Object.entries(tapes))
    yield {
      name,
      prepare(length) {
        const head = { kind: 'tape', version: 1, at: 0, from: 'w' }
        const events = write(length).map((event, index) => ({ at: index, order: index + 1, from: 'w', ...event }))
        const { entries } = readTape([head, ...events].map(line => `${JSON.stringify(line)}\n`).join(''))
        return () => drawTape(entries, inspect(entries), painter(process.stdout), 100, 200)
      },
    }
}
