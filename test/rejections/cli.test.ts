import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { antiphon, folder } from '../apps/cli/program.ts'
import { requestOf, sharedCases } from './shared-cases.ts'

const overflow = 'prompt is too long: 202128 tokens > 200000 maximum'

describe.concurrent('explain', () => {
  test('[RJ14] an error text: which rejection it is, why, what is done about it, and what it names', async () => {
    const { code, stdout } = await antiphon(['explain', overflow])
    expect(code).toBe(0)
    expect(stdout).toContain('context-overflow (an-overflow), from anthropic')
    expect(stdout).toContain('= it names: limit 200000, used 202128')
  })

  test('[RJ14] a JSON body on standard input, and a log line', async () => {
    const body = JSON.stringify({
      error: {
        message:
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      },
    })
    const [json, line] = await Promise.all([
      antiphon(['explain', '--json', '-'], { input: body }),
      antiphon(['explain', `2026-11-16T10:00:00Z ERROR 400 BadRequestError: ${body}`]),
    ])
    expect(JSON.parse(json.stdout)).toMatchObject({ kind: 'parameter', id: 'oc-parameter-renamed' })
    expect(line.stdout).toContain('parameter (oc-parameter-renamed)')
  })

  test('[RJ14] an unknown error text is one line, and exit code 2', async () => {
    const { code, stderr } = await antiphon(['explain', 'it rains in Lisbon'])
    expect([code, stderr.split('\n').length]).toEqual([2, 2])
    expect(stderr).toContain('unknown error of a provider')
  })
})

describe.concurrent('heal --because', () => {
  const rejected = sharedCases.find(({ id }) => id === 'claude-code-10627')
  if (!rejected) throw new Error('no such case')
  const files = () =>
    folder({
      'body.json': JSON.stringify(requestOf(rejected)),
      'error.json': JSON.stringify(rejected.refusal.body),
      'other.json': '{"error":"rain"}',
    })

  test('[RJ15] a stored request is repaired for the error, printed or in place with a backup', async () => {
    const cwd = files()
    const printed = await antiphon(['heal', 'body.json', '--because', 'error.json'], { cwd })
    expect(printed.code).toBe(0)
    expect(printed.stdout).not.toContain('"thinking":"look at the source"')
    expect(printed.stdout).toContain('It parses the header.')
    expect(printed.stderr).toContain('1 repair for the error an-signature (reasoning-signature)')
    const before = readFileSync(join(cwd, 'body.json'), 'utf8')
    const dry = await antiphon(['heal', 'body.json', '--because', 'error.json', '--write', '--dry-run'], { cwd })
    expect([dry.code, readFileSync(join(cwd, 'body.json'), 'utf8')]).toEqual([0, before])
    await antiphon(['heal', 'body.json', '--because', 'error.json', '--write'], { cwd })
    expect(readFileSync(join(cwd, 'body.json.bak'), 'utf8')).toBe(before)
    expect(readFileSync(join(cwd, 'body.json'), 'utf8')).toBe(printed.stdout)
  })

  test('[RJ15] an unknown error and a missing file are one line and change nothing', async () => {
    const cwd = files()
    const [unknown, none] = await Promise.all([
      antiphon(['heal', 'body.json', '--because', 'other.json'], { cwd }),
      antiphon(['heal', '--because', 'error.json'], { cwd }),
    ])
    expect([unknown.code, unknown.stdout, none.code, none.stdout]).toEqual([2, '', 2, ''])
    expect([unknown.stderr, none.stderr].map(text => text.split('\n').length)).toEqual([2, 2])
  })

  test.each(['heal', 'doctor'])(
    '[SE106] words that the error quotes from the request change nothing: %s',
    async command => {
      const words = 'prompt is too long: 900000 tokens > 300000 maximum'
      const turns = Array.from({ length: 40 }, (_, index) => [
        { role: 'user', content: `question ${index} ${'x'.repeat(100)}` },
        { role: 'assistant', content: `answer ${index}` },
      ])
      const messages = [...turns.flat(), { role: 'user', content: words }]
      const error = JSON.stringify({
        error: { message: `Invalid MIME type '${words}'. Only image types are supported.` },
      })
      const cwd = folder({ 'body.json': JSON.stringify({ model: 'gpt-4o', messages }), 'error.json': error })
      const before = readFileSync(join(cwd, 'body.json'), 'utf8')
      const args = command === 'heal' ? ['heal', '--write'] : ['doctor', '--fix']
      const { code } = await antiphon([...args, 'body.json', '--because', 'error.json'], { cwd })
      expect(code).not.toBe(0)
      expect(readFileSync(join(cwd, 'body.json'), 'utf8')).toBe(before)
    },
  )
})
