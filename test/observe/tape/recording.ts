import { createTape, type Tape, type TapeOptions } from '../../../src/observe/tape/index.ts'

/** A tape in memory, by a clock that goes on by a hundred milliseconds a line. */
export function recording(options: Omit<TapeOptions, 'write'> = {}): { tape: Tape; text: () => string } {
  const lines: string[] = []
  let time = 1_000
  const now = (): number => {
    time += 100
    return time
  }
  const tape = createTape({ now, from: 'one', ...options, write: line => lines.push(line) })
  return { tape, text: () => lines.join('') }
}

/** A conversation that goes wrong: the user speaks while a call runs, and its result comes too late. */
export function interrupted(tape: Tape): void {
  const call = { type: 'tool_use', id: 'toolu_01', name: 'bash', input: { command: 'npm test', retries: 3, dry: true } }
  const history: object[] = [{ role: 'user', content: 'Run the tests.' }]
  const ask = (): string =>
    tape.request({
      url: 'https://api.anthropic.com/v1/messages',
      dialect: 'anthropic',
      body: { model: 'claude-sonnet-4-5', max_tokens: 1024, tools: [tool], messages: [...history] },
    })
  const refusal =
    'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01. Each `tool_use` block must have a corresponding `tool_result` block in the next message.'
  const refused = { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message: refusal } } }

  tape.response(ask(), { status: 200, body: message([call]) })
  history.push({ role: 'assistant', content: [call] })
  tape.callStart({ id: 'toolu_01', name: 'bash' })
  tape.interrupt({ reason: 'The user pressed stop.' })
  tape.input({ content: 'Stop, the unit tests are enough.' })
  history.push({ role: 'user', content: 'Stop, the unit tests are enough.' })
  tape.response(ask(), refused)
  tape.callEnd({ id: 'toolu_01', name: 'bash' })
  history.push({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'toolu_01', content: '3 of 412 failed' }],
  })
  tape.response(ask(), refused)
}

const properties = { command: { type: 'string' }, retries: { type: 'integer' } }
const tool = { name: 'bash', description: 'Runs a command.', input_schema: { type: 'object', properties } }

/** An answer of Anthropic's API. */
export const message = (content: readonly object[]): object => ({
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content,
  stop_reason: 'tool_use',
  usage: { input_tokens: 12, output_tokens: 7 },
})
