import { describe, expect, test } from 'vitest'
import { anthropicUnanswered, healthy, json, mixed, orphan, pretty, repeated, unanswered, user } from './histories.ts'
import { antiphon, folder, lines } from './program.ts'

describe.concurrent('check', () => {
  test('[C5] the exit code says healthy, warnings included, errors, or unreadable', async () => {
    const codes = await Promise.all([
      ...[healthy, repeated, unanswered].map(history => antiphon(['check'], { input: json(history) })),
      antiphon(['check'], { input: '{' }),
    ])
    expect(codes.map(({ code }) => code)).toEqual([0, 0, 1, 2])
    expect(codes[1].stdout).toContain('warning[repeated-user-message]')
  })

  test('[C6] a diagnostic says what, where, why, in whose words, and what repairs it', async () => {
    const cwd = folder({ 'chat.json': pretty(anthropicUnanswered) })
    const { stdout, stderr } = await antiphon(['check', 'chat.json'], { cwd })
    expect(stderr).toBe('')
    expect(stdout).toBe(`error[unanswered-call]: call toolu_1 of search_flights has no result
  --> chat.json  messages[1].content[0]   search_flights({"to":"LIS"})
   = why: The next request is rejected, and so is every retry.
   = rejected as: messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: toolu_1. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.
   = fix: answer it with a placeholder that says no result was recorded (synthetic)

1 error for anthropic (format anthropic)
1 call, 0 results, 0 orphans, 1 unanswered
`)
  })

  test('[C7] the last line counts, and with several files it is their sum', async () => {
    const cwd = folder({ 'a.json': json(mixed), 'b.json': json(healthy) })
    const { stdout } = await antiphon(['check', 'a.json', 'b.json'], { cwd })
    expect(lines(stdout)).toContain('a.json: 4 calls, 4 results, 1 orphan, 1 unanswered')
    expect(lines(stdout).slice(-3)).toEqual([
      'healthy for openai (format openai-chat)',
      'b.json: 1 call, 1 result, 0 orphans, 0 unanswered',
      'total of 2 files: 5 calls, 5 results, 1 orphan, 1 unanswered',
    ])
  })

  test('[C8] it prints 50 diagnostics of a file and says how many more there are', async () => {
    const many = [
      user('Go.'),
      ...Array.from({ length: 60 }, (_, id) => ({ role: 'tool', tool_call_id: `c${id}`, content: 'x' })),
    ]
    const [some, all] = await Promise.all([
      antiphon(['check'], { input: json(many) }),
      antiphon(['check', '--all'], { input: json(many) }),
    ])
    expect(some.stdout.match(/error\[orphan-result\]/g)).toHaveLength(50)
    expect(some.stdout).toContain('... and 10 more diagnostics; --all prints them\n')
    expect(all.stdout.match(/error\[orphan-result\]/g)).toHaveLength(60)
  })

  test('[C9] --json is one object a file and nothing else', async () => {
    const cwd = folder({ 'a.json': json(mixed), 'b.json': json(anthropicUnanswered) })
    const { code, stdout } = await antiphon(['check', '--json', 'a.json', 'b.json'], { cwd })
    expect(code).toBe(1)
    const [a, b, ...more] = stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(more).toEqual([])
    expect(Object.keys(a)).toEqual(['file', 'format', 'for', 'diagnostics', 'counts'])
    expect(a).toMatchObject({ file: 'a.json', format: 'openai-chat', for: 'openai' })
    expect(a.counts).toEqual({ calls: 4, results: 4, orphans: 1, unanswered: 1 })
    expect(b).toMatchObject({ file: 'b.json', format: 'anthropic', for: 'anthropic' })
    expect(b.diagnostics[0]).toMatchObject({ rule: 'unanswered-call', severity: 'error', at: 'messages[1].content[0]' })
  })

  test('[C10] --for all shows which providers reject it, and which accept it despite a defect', async () => {
    const [text, data, fine] = await Promise.all([
      antiphon(['check', '--for', 'all'], { input: json(orphan) }),
      antiphon(['check', '--for', 'all', '--json'], { input: json(orphan) }),
      antiphon(['check', '--for', 'all'], { input: json([user('Hello.')]) }),
    ])
    expect(text.code).toBe(1)
    const table = lines(text.stdout)
    expect(table.find(line => line.startsWith('openai '))).toMatch(
      /^openai +rejects {2}orphan-result: Invalid parameter/,
    )
    expect(table.find(line => line.startsWith('lenient'))).toMatch(/^lenient +accepts +despite orphan-result$/)
    const { readers } = JSON.parse(data.stdout)
    const refusing = readers.filter(({ refused }: { refused: boolean }) => refused)
    expect(table).toHaveLength(readers.length + 2)
    expect(table.at(-2)).toBe(`rejected by ${refusing.length} of ${readers.length} providers`)
    expect(table.at(-1)).toBe('1 call, 2 results, 1 orphan, 0 unanswered')
    expect(fine.code).toBe(0)
    expect(fine.stdout).toContain(`rejected by 0 of ${readers.length} providers`)
  })

  test('[C11] a wrong option is one line with the names there are, before anything is read', async () => {
    const [reader, format, orphans, option, command] = await Promise.all([
      antiphon(['check', '--for', 'opnai', 'missing.json']),
      antiphon(['check', '--format', 'xml', 'missing.json']),
      antiphon(['heal', '--orphans', 'keep', 'missing.json']),
      antiphon(['check', '--frmat', 'xml']),
      antiphon(['chek']),
    ])
    expect(reader.stderr).toMatch(/^antiphon: unknown dialect "opnai" \(did you mean openai\? one of: openai, .*\)\n$/)
    expect(format.stderr).toMatch(/^antiphon: unknown format "xml" \(one of: openai-chat, .*\)\n$/)
    expect(orphans.stderr).toBe('antiphon: unknown value of --orphans "keep" (one of: revive, quote, drop)\n')
    expect(option.stderr).toBe("antiphon: unknown option '--frmat' (Did you mean --format?)\n")
    expect(command.stderr).toBe("antiphon: unknown command 'chek' (Did you mean check?)\n")
    for (const { code, stdout } of [reader, format, orphans, option, command]) {
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    }
  })

  test('[C6] a stored history may wait', async () => {
    const open = unanswered.slice(0, 2)
    const [send, keep] = await Promise.all([
      antiphon(['check'], { input: json(open) }),
      antiphon(['check', '--pending', 'keep'], { input: json(open) }),
    ])
    expect([send.code, keep.code]).toEqual([1, 0])
    expect(lines(keep.stdout).at(-1)).toBe('1 call, 0 results, 0 orphans, 0 unanswered')
  })

  test('[C13] colours come on request only on Node 20, too, which colours a list of styles for every stream', async () => {
    const likeNode20 = `
      import util from 'node:util'
      import { syncBuiltinESMExports } from 'node:module'
      const { styleText } = util
      util.styleText = (style, text, options) =>
        styleText(style, text, Array.isArray(style) ? { validateStream: false } : options)
      syncBuiltinESMExports()`
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(likeNode20)}`
    const plain = await antiphon(['check'], { input: json(anthropicUnanswered), env: { NODE_OPTIONS } })
    expect(plain.stdout).toMatch(/^error\[unanswered-call\]/)
    const painted = await antiphon(['check'], {
      input: json(anthropicUnanswered),
      env: { NODE_OPTIONS, FORCE_COLOR: '1' },
    })
    const esc = '\u001b'
    expect(painted.stdout).toContain(`${esc}[31m${esc}[1merror[unanswered-call]${esc}[22m${esc}[39m`)
  })

  test('[C13] colours come on request only, and nothing in a history reaches the terminal as a command', async () => {
    const id = 'call_\u001b[31m\u009b2J\u202e'
    const input = json([user('Go.'), { role: 'tool', tool_call_id: id, content: '\u001b]0;owned\u0007' }])
    const [plain, forced, none] = await Promise.all([
      antiphon(['check'], { input }),
      antiphon(['check'], { input, env: { FORCE_COLOR: '1' } }),
      antiphon(['check'], { input, env: { NO_COLOR: '1' } }),
    ])
    const controls = /(?!\n)\p{Cc}|[\u202a-\u202e]/u
    expect(plain.stdout).not.toMatch(controls)
    expect(none.stdout).not.toMatch(controls)
    expect(plain.stdout).toContain('call_\\u001b[31m')
    const esc = '\u001b'
    expect(forced.stdout).toContain(`${esc}[31m${esc}[1merror[orphan-result]`)
    expect(forced.stdout.replaceAll(new RegExp(`${esc}\\[\\d+m`, 'g'), '')).toBe(plain.stdout)
  })

  test('[C43] with --json a file that cannot be read is an object too, among those of the others', async () => {
    const cwd = folder({ 'a.json': json(healthy), 'torn.json': '[{"role":', 'text.json': '"words"' })
    const args = ['--json', 'gone.json', 'a.json', 'torn.json', 'text.json']
    for (const all of [[], ['--for', 'all']]) {
      const { code, stdout, stderr } = await antiphon(['check', ...all, ...args], { cwd })
      expect(code).toBe(2)
      expect(lines(stderr)).toHaveLength(3)
      const told = lines(stdout).map(line => JSON.parse(line))
      expect(told.map(({ file }) => file)).toEqual(['gone.json', 'a.json', 'torn.json', 'text.json'])
      expect(told[0]).toEqual({
        file: 'gone.json',
        error: { code: 'unreadable', message: 'gone.json: there is no such file' },
      })
      expect(told.map(({ error }) => typeof error?.message)).toEqual(['string', 'undefined', 'string', 'string'])
    }
    const healed = await antiphon(['heal', '--dry-run', ...args], { cwd })
    expect(healed.stdout).toBe('')
    expect(lines(healed.stderr).map(line => JSON.parse(line).file)).toHaveLength(4)
  })

  test.each([
    ['threads', 'gone.db', '--json'],
    ['show', 'gone.db', 'x', '--json'],
    ['explain', 'gone', '--json'],
    ['tape', 'show', 'gone.tape', '--json'],
    ['check', '--json', '--nosuch'],
  ])('[C43] so is every other error: %s %s %s', async (...args) => {
    const { code, stdout, stderr } = await antiphon(args)
    expect([code, lines(stderr).length]).toEqual([2, 1])
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } })
  })
})
