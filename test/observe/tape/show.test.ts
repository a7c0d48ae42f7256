import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatDuration } from '../../../src/observe/tape/format-duration.ts'
import type { Tape } from '../../../src/observe/tape/index.ts'
import { folder } from '../../apps/cli/program.ts'
import { tapeCommand } from './program.ts'
import { interrupted, recording } from './recording.ts'

const taped = (record: (tape: Tape) => void): string => {
  const { tape, text } = recording()
  record(tape)
  return join(folder({ 'chat.tape': text() }), 'chat.tape')
}

describe('tape show', () => {
  test('[TP15] it draws the order, calls as bars, and marks the first failure', async () => {
    const file = taped(interrupted)
    const { code, stdout } = await tapeCommand('show', file)
    expect(code).toBe(1)
    expect(stdout.replace(`${file}: `, '').split('\n')).toEqual([
      '3 requests, 1 call, redacted',
      '',
      '        +0 ms  ●    request 1  anthropic, 1 message',
      '      +100 ms  ✓ ╷  request 1 accepted 200: bash toolu_01',
      '      +200 ms    ┏  bash toolu_01 started',
      '      +300 ms  ■ ┃  interrupt',
      '      +400 ms  ▸ ┃  input',
      '      +500 ms  ● ┃  request 2  anthropic, 3 messages  unanswered-call at messages[1].content[0]',
      '               ╰─ here the history is malformed for the first time',
      '      +600 ms  ✗ ┃  request 2 rejected 400: messages.1: `tool_use` ids were found without `tool_res…',
      '      +700 ms    ┗  bash toolu_01 ended: done',
      '      +800 ms  ●    request 3  anthropic, 4 messages  interleaved-message at messages[2]',
      '      +900 ms  ✗    request 3 rejected 400: messages.1: `tool_use` ids were found without `tool_res…',
      '',
      'calls',
      '  bash toolu_01: recorded +100 ms, started +200 ms, ended +700 ms (done), sent without result in',
      '    request 2 (rejected), sent in request 3 (rejected)',
      '',
      'request 2 is the first that is malformed for anthropic: unanswered-call at messages[1].content[0]:',
      'call toolu_01 of bash has no result',
      '  request 1 was still healthy, 500 ms before it; since then:',
      '    +100 ms  request 1 was accepted, and made toolu_01 (bash)',
      '    +200 ms  toolu_01 (bash) was started',
      '    +300 ms  an interrupt came while toolu_01 (bash) was running',
      '    +400 ms  input came while toolu_01 (bash) was running',
      '  toolu_01 (bash) ended 200 ms after request 2 was sent',
      '',
    ])
  })

  test.each([
    [999, '999 ms'],
    [59_949, '59.9 s'],
    [59_950, '1 min 0 s'],
    [299_600, '5 min 0 s'],
    [3_599_600, '1 h 0 min'],
    [7_199_000, '2 h 0 min'],
  ])('[TP15] %i milliseconds are %s', (ms, words) => {
    expect(formatDuration(ms)).toBe(words)
  })

  test('[TP15] --json prints the same as JSON', async () => {
    const file = taped(interrupted)
    const { code, stdout } = await tapeCommand('show', '--json', file)
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ file, redacted: true, cut: false, faults: [] },
      requests: [
        { number: 1, verdict: 'accepted' },
        { verdict: 'rejected', errors: [{ rule: 'unanswered-call' }] },
        {},
      ],
      calls: [{ id: 'toolu_01', sent: [{ request: 2, answered: false, verdict: 'rejected' }, { request: 3 }] }],
      firstFailure: { request: 2, healthy: 1 },
    })
  })

  test('[TP15] a healthy tape says so, and exits with 0', async () => {
    const file = taped(tape => {
      const body = { model: 'gpt-5', messages: [{ role: 'user', content: 'Hi.' }] }
      const request = tape.request({ body })
      tape.repair({ request, repairs: [{ rule: 'orphan-result', at: 'messages[0]' }] })
      tape.response(request, { status: 200 })
    })
    const { code, stdout } = await tapeCommand('show', file)
    expect(code).toBe(0)
    expect(stdout).toContain('~    repaired before it was sent: orphan-result\n')
    expect(stdout).toContain('no request on it is malformed, and none was rejected\n')
  })

  test('[TP16] no line is wider than 100 columns, and nothing on a tape reaches the terminal as a command', async () => {
    const long = `call_${'\u001b[31m'.repeat(40)}${'y'.repeat(300)}`
    const file = taped(tape => {
      for (let index = 0; index < 300; index++) tape.callStart({ id: `${long}${index}`, name: `name\u202e${index}` })
      tape.response(tape.request({ body: { messages: [{ role: 'tool', tool_call_id: long, content: 'x' }] } }), {
        status: 400,
        body: { error: { message: `no ${long}` } },
      })
    })
    const { stdout, code } = await tapeCommand('show', file)
    expect(code).toBe(1)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100)
    expect(stdout).toMatch(/\.\.\. \d+ before; --all prints them/)
    expect((await tapeCommand('show', '--all', file)).stdout).not.toContain('--all prints them')
  })

  test('[TP16] lines that cannot be read are reported, and a file that is not a tape is one line and exit code 2', async () => {
    const { tape, text } = recording()
    interrupted(tape)
    const files = folder({ 'cut.tape': `${text()}garbage\n{"at":1`, 'chat.json': '[]' })
    const { stdout } = await tapeCommand('show', join(files, 'cut.tape'))
    expect(stdout).toContain('line 12: not JSON\nthe last line is cut off\n')
    for (const command of ['show', 'replay']) {
      const { code, stderr } = await tapeCommand(command, join(files, 'chat.json'))
      expect(code).toBe(2)
      expect(stderr).toMatch(/^antiphon: .*chat\.json: it is not a tape \(one is recorded with ANTIPHON_TAPE=file\)$/)
    }
  })
})

describe('tape replay', () => {
  test('[TP17] it sends every request to a strict provider, prints the error message of a rejection, and exits with 1', async () => {
    const { code, stdout } = await tapeCommand('replay', taped(interrupted))
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^request 1 accepted by anthropic \(on the tape: accepted 200\)\nrequest 2 rejected by anthropic, 400: messages\.1: /,
    )
    expect(stdout).toMatch(/\(on the tape: rejected 400\)\n$/)
  })

  test('[TP17] --request and --provider choose, and wrong ones are one line', async () => {
    const file = taped(interrupted)
    expect(await tapeCommand('replay', '--request', '1', file)).toMatchObject({ code: 0 })
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi.' }] }
    const chat = taped(tape => tape.request({ url: 'http://gateway.test/llm/v1/chat/completions', body }))
    const elsewhere = await tapeCommand('replay', '--provider', 'mistral', chat)
    expect(elsewhere).toMatchObject({ code: 0, stdout: 'request 1 accepted by mistral\n' })
    const none = await tapeCommand('replay', '--request', '9', file)
    expect(none.stderr).toMatch(/^antiphon: .*: the tape has no request 9 \(antiphon tape show lists them\)$/)
    const wrong = await tapeCommand('replay', '--request', 'x', file)
    expect(wrong.stderr).toBe('antiphon: unknown request "x" (use a number; the first request is 1)')
    expect((await tapeCommand('replay', '--provider', 'mistrall', file)).stderr).toContain('did you mean mistral?')
  })

  test('[TP17] a request goes to the provider of its dialect', async () => {
    const input = [{ type: 'user_input', content: [{ type: 'text', text: 'Hi.' }] }]
    const file = taped(tape => {
      const url = 'https://generativelanguage.googleapis.com/v1beta/interactions'
      tape.request({ url, dialect: 'gemini-interactions', body: { model: 'gemini-3-pro', input } })
      tape.request({ dialect: 'openai-responses', body: { model: 'gpt-5', input: [{ role: 'user', content: 'Hi.' }] } })
    })
    const { code, stdout } = await tapeCommand('replay', file)
    expect([code, stdout]).toEqual([0, 'request 1 accepted by gemini\nrequest 2 accepted by openai\n'])
  })

  test('[TP17] what cannot be sent again is skipped, and said to be', async () => {
    const file = taped(tape => {
      tape.request({
        body: { model: 'gpt-5', previous_response_id: 'resp_1', input: [{ role: 'user', content: 'Hi' }] },
      })
      tape.request({ body: 'no JSON' })
    })
    const { code, stdout } = await tapeCommand('replay', file)
    expect(code).toBe(0)
    expect(stdout).toBe(
      'request 1 skipped it continues state that only the real provider has\nrequest 2 skipped it contains no history\n',
    )
  })
})
