import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findSyntaxError, lineAndColumn } from '../../../src/doctor/files/json-syntax-error.ts'
import { files, root } from '../../repository.ts'
import { healthy, json, jsonl, pretty, responsesOrphan, unanswered } from './histories.ts'
import { antiphon, folder, lines } from './program.ts'

const asItComes = '1 call, 0 results, 0 orphans, 1 unanswered'

describe.concurrent('what it reads', () => {
  test('[C1] a list, a body, and one message a line, with and without a byte order mark', async () => {
    const cwd = folder({
      'list.json': pretty(unanswered),
      'body.json': pretty({ model: 'gpt-5', messages: unanswered, temperature: 0 }),
      'lines.jsonl': `\n${jsonl(unanswered)}\n`,
      'mark.json': `\ufeff${json(unanswered)}`,
      'one.jsonl': json(unanswered[1]),
    })
    const files = ['list.json', 'body.json', 'lines.jsonl', 'mark.json', 'one.jsonl']
    const { code, stdout, stderr } = await antiphon(['check', ...files], { cwd })
    expect(stderr).toBe('')
    expect(code).toBe(1)
    for (const file of files) expect(stdout).toContain(`\n${file}: ${asItComes}\n`)
    expect(stdout).toContain('--> lines.jsonl:3  messages[1].tool_calls[0]')
  })

  test('[C1] items of the Responses API, one a line, also calls of custom tools, which have an input as a request has', async () => {
    const patch = { type: 'custom_tool_call', call_id: 'call_1', name: 'apply_patch', input: '*** Begin Patch' }
    const output = { type: 'custom_tool_call_output', call_id: 'call_1', output: 'Done.' }
    const input = jsonl([{ role: 'user', content: 'Go on.' }, patch, output])
    const { code, stdout, stderr } = await antiphon(['check'], { input })
    expect([code, stderr, lines(stdout).at(-1)]).toEqual([0, '', '1 call, 1 result, 0 orphans, 0 unanswered'])
  })

  test('[C1] standard input, named by a dash or by nothing', async () => {
    const [dash, nothing] = await Promise.all([
      antiphon(['check', '-'], { input: json(unanswered) }),
      antiphon(['check'], { input: jsonl(unanswered) }),
    ])
    expect(lines(dash.stdout).at(-1)).toBe(asItComes)
    expect(lines(nothing.stdout).at(-1)).toBe(asItComes)
    expect(dash.stdout).toContain('--> <stdin>  messages[1].tool_calls[0]')
  })

  test('[C12] what a request body says of itself counts', async () => {
    const cwd = folder({
      'state.json': json({ previous_response_id: 'resp_1', input: responsesOrphan }),
      'null.json': json({ previous_response_id: null, input: responsesOrphan }),
      'text.json': json({ model: 'gpt-5', input: 'Find me a flight.' }),
      'items.json': json({ input: [{ role: 'user', content: 'Hello.' }] }),
      'system.json': json({ system: 'Be kind.', messages: [{ role: 'user', content: 'Hello.' }] }),
      'model.json': json({
        model: 'claude-opus-4-8',
        system: 'Be kind.',
        messages: [
          { role: 'user', content: 'Hello.' },
          { role: 'assistant', content: 'I' },
        ],
      }),
    })
    const names = ['state', 'null', 'text', 'items', 'system', 'model']
    const args = ['check', '--json', ...names.map(name => `${name}.json`)]
    const [read, other] = await Promise.all([
      antiphon(args, { cwd }),
      antiphon(['check', '--json', '--model', 'claude-3', 'model.json'], { cwd }),
    ])
    const found = lines(read.stdout).map(line => JSON.parse(line))
    expect(found.map(({ diagnostics }) => diagnostics.map(({ rule }: { rule: string }) => rule))).toEqual([
      [],
      ['orphan-result'],
      [],
      [],
      [],
      ['wrong-last-role'],
    ])
    expect(found.map(({ format }) => format)).toEqual([
      'openai-responses',
      'openai-responses',
      'openai-chat',
      'openai-responses',
      'anthropic',
      'anthropic',
    ])
    expect(other.code).toBe(0)
  })
})

describe.concurrent('what it cannot read', () => {
  test('[C2] [C3] [C4] every reason is one line with the place, and the other files go on', async () => {
    const cwd = folder({
      'token.json': '[\n  {"role": "user",\n   "content": text}\n]',
      'comma.json': '[\n  {"role": "user", "content": "hi"},,\n]',
      'cut.json': '[{"role":"user","content":"hi',
      'bare.json': 'abc',
      'open.json': '[{"role":"user"}',
      'lines.jsonl': `${jsonl(healthy)}{"role":"user","content":\n`,
      'empty.json': ' \n',
      'bytes.json': Buffer.from([...Buffer.from('[\n"'), 0xff, 0xfe, ...Buffer.from('"\n]')]),
      'wide.json': Buffer.from('\ufeff[]', 'utf16le'),
      'little.json': Buffer.from(json(healthy), 'utf16le'),
      'big.json': Buffer.from(json(healthy), 'utf16le').swap16(),
      'number.json': '42',
      'object.json': '{"a":1}',
      'error.json': '{"error":{"message":"prompt is too long"}}',
      'odd.json': '{"messages":{}}',
      'foreign.json': '[{"kind":"cat"},1]',
      'session.jsonl': '{"type":"system","content":"started"}\n{"type":"turn"}\n{"type":"turn"}',
      'healthy.json': json(healthy),
    })
    mkdirSync(join(cwd, 'folder.json'))
    const expected = {
      'token.json': 'token.json:3:15: expected a value but found "t"',
      'comma.json': 'comma.json:2:37: expected a value but found ","',
      'cut.json': 'cut.json:1:27: expected a closing quote but the text ends (the string that begins here is cut)',
      'bare.json': 'bare.json:1:1: expected a value but found "a"',
      'open.json': 'open.json:1:17: expected "," or "]" but the text ends (one bracket is still open)',
      'lines.jsonl': 'lines.jsonl:4:26: expected a value but the text ends (one bracket is still open)',
      'empty.json': 'empty.json: it is empty',
      'bytes.json': 'bytes.json:2: it is not UTF-8',
      'wide.json': 'wide.json:1:1: it is UTF-16',
      'little.json': 'little.json:1:1: it is UTF-16',
      'big.json': 'big.json:1:1: it is UTF-16',
      'number.json': 'number.json: it is a number, not a history',
      'object.json': 'object.json: it is an object with none of the fields messages, input, contents',
      'error.json': 'error.json: it is an error of a provider, not a history (antiphon explain says what it means)',
      'odd.json': 'odd.json: its "messages" is an object, not a list of messages',
      'foreign.json': 'foreign.json: its messages are not in a known format',
      'session.jsonl': 'session.jsonl: most of its lines are not messages',
      'folder.json': 'folder.json: it is a directory',
      'missing.json': 'missing.json: there is no such file',
    }
    const { code, stdout, stderr } = await antiphon(['check', ...Object.keys(expected), 'healthy.json'], { cwd })
    expect(code).toBe(2)
    const complaints = lines(stderr)
    for (const [index, words] of Object.values(expected).entries())
      expect(complaints[index]).toContain(`antiphon: ${words}`)
    expect(complaints).toHaveLength(Object.keys(expected).length)
    expect(stdout).toContain('healthy.json: 1 call, 1 result, 0 orphans, 0 unanswered\n')
  })

  test('[C51] a session of another program is sent to the doctor only if the doctor reads it', async () => {
    const sessions = 'test/foreign/stores'
    const supported = {
      'pi/sessions': 'pi',
      'openclaw/agents': 'pi',
      'kimi-cli/sessions': 'kimi-cli',
      'gemini-cli/tmp': 'Gemini CLI',
      'copilot-cli/session-state': 'Copilot CLI',
      'qwen-code/projects': 'Qwen Code',
    }
    for (const [place, program] of Object.entries(supported)) {
      const [file] = files(`${sessions}/${place}/**/*.jsonl`)
      const { code, stderr } = await antiphon(['check', join(root, file)])
      expect({ code, lines: lines(stderr).length }).toEqual({ code: 2, lines: 1 })
      expect(stderr).toContain(`it is a session of ${program} (antiphon doctor and antiphon view read it)`)
      const read = await antiphon(['doctor', join(root, file)])
      expect(read.stdout).toContain('1 session: 1 healthy')
    }
    const event = { type: 'ToolCallRequestEvent', source: 'assistant', content: [{ id: 'call_1', name: 'look' }] }
    const cwd = folder({ 'autogen.jsonl': `${JSON.stringify(event)}\n`.repeat(3) })
    const other = await antiphon(['check', 'autogen.jsonl'], { cwd })
    expect({ code: other.code, lines: lines(other.stderr).length }).toEqual({ code: 2, lines: 1 })
    expect(other.stderr).toContain('it looks like a session of AutoGen, which is not supported in this form')
    expect(other.stderr).toContain('antiphon proxy')
    expect(other.stderr).not.toContain('doctor')
    const [known] = files('test/doctor/systems/claude-code/samples/broken/**/*.jsonl')
    const { stderr } = await antiphon(['check', join(root, known)])
    expect(stderr).toContain('it is a session of Claude Code')
    expect(stderr).toContain('antiphon doctor')
  })

  test('[C2] heal writes nothing of what it cannot read', async () => {
    const { code, stdout, stderr } = await antiphon(['heal'], { input: '[{"role":"user"' })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe('antiphon: <stdin>:1:16: expected "," or "}" but the text ends (2 brackets are still open)\n')
  })
})

describe('the place of a fault', () => {
  const tokens = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"\\u00e9"',
    '"\\x"',
    '1',
    '-',
    '01',
    '1.5e3',
    'true',
    'nul',
    ' ',
    '\n',
    "'",
  ]
  const texts = fc.array(fc.constantFrom(...tokens), { maxLength: 12 }).map(parts => parts.join(''))

  test('[C3] there is a fault exactly where JSON.parse sees one', () => {
    fc.assert(
      fc.property(texts, text => {
        let message: string | undefined
        try {
          JSON.parse(text)
        } catch (error) {
          message = (error as Error).message
        }
        const fault = findSyntaxError(text)
        expect(fault !== undefined).toBe(message !== undefined)
        const position = message?.match(/position (\d+)/)?.[1]
        if (position !== undefined) expect(text.slice(fault?.at, Number(position))).toMatch(/^(\\|[-\w.]*|"[^"]*)$/)
      }),
      { numRuns: 3000, seed: 1 },
    )
  })

  test('[C3] lines and columns count from 1', () => {
    expect(lineAndColumn('ab\ncd', 0)).toEqual({ line: 1, column: 1 })
    expect(lineAndColumn('ab\ncd', 2)).toEqual({ line: 1, column: 3 })
    expect(lineAndColumn('ab\ncd', 3)).toEqual({ line: 2, column: 1 })
    expect(lineAndColumn('ab\r\n\r\ncd', 7)).toEqual({ line: 3, column: 2 })
  })
})
