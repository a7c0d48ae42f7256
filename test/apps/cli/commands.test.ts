import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dialectNamed } from '../../../src/apps/cli/for-name.ts'
import { root } from '../../repository.ts'
import { anthropicUnanswered, call, healthy, json, jsonl, result, unanswered, user } from './histories.ts'
import { antiphon, folder, lines } from './program.ts'

const modelsOf = (...names: string[]) => names.map(name => dialectNamed(name)?.dialect)

describe('[C110] --for takes everyday names and models', () => {
  test('as what they are known for', () => {
    expect(modelsOf('gpt-5', 'o3', 'ChatGPT', 'azure', 'openai')).toEqual(Array(5).fill('openai'))
    expect(modelsOf('claude', 'sonnet', 'claude-opus-4-8', 'anthropic/claude-3')).toEqual(Array(4).fill('anthropic'))
    expect(modelsOf('gemini-3-pro', 'google', 'Vertex AI', 'grok', 'kimi', 'codex')).toEqual([
      ...['gemini', 'gemini', 'vertex', 'xai', 'moonshot', 'openai-responses'],
    ])
    expect(modelsOf('llama.cpp', 'ollama', 'llama-3.1-8b', 'gemma', 'deepseek-chat')).toEqual([
      ...['llama-template', 'ollama', 'llama-template', 'gemma-template', 'deepseek'],
    ])
    expect(modelsOf('nonsense', '', '__proto__', 'constructor')).toEqual(Array(4).fill(undefined))
    expect(dialectNamed('gemini-3-pro')?.model).toBe('gemini-3-pro')
  })

  test('and says so', async () => {
    const input = json(healthy)
    const [named, own] = await Promise.all([
      antiphon(['check', '--json', '--for', 'mistral-large-2'], { input }),
      antiphon(['check', '--json', '--for', 'mistral'], { input }),
    ])
    expect(JSON.parse(named.stdout).for).toBe('mistral')
    expect(named.stderr).toBe('antiphon: --for mistral-large-2 is taken as mistral\n')
    expect(own.stderr).toBe('')
  })
})

describe.concurrent('more commands', () => {
  const long = Array.from({ length: 10 }, (_, id) => [
    user(`Go ${id}.`),
    call(`c${id}`),
    result(`c${id}`, 'x'.repeat(400)),
  ])

  test('[C111] trim prints the newest turns that fit, in the form of the input', async () => {
    const cwd = folder({
      'chat.json': json({ model: 'gpt-5', messages: long.flat() }),
      'lines.jsonl': jsonl(long.flat()),
    })
    const [body, list, cleared, none] = await Promise.all([
      antiphon(['trim', '--max-messages', '6', 'chat.json'], { cwd }),
      antiphon(['trim', '--max-messages', '6', '--json', 'lines.jsonl'], { cwd }),
      antiphon(['trim', '--max-tokens', '800', '--clear-results', 'chat.json'], { cwd }),
      antiphon(['trim', 'chat.json'], { cwd }),
    ])
    expect(JSON.parse(body.stdout)).toEqual({ model: 'gpt-5', messages: long.slice(-2).flat() })
    expect(body.stderr).toBe('chat.json: 30 messages -> 6, 0 % of the prompt prefix kept\n')
    expect(list.stdout).toBe(jsonl(long.slice(-2).flat()))
    expect(JSON.parse(list.stderr)).toMatchObject({ before: 30, after: 6, removed: 24, repairs: 0 })
    expect(JSON.parse(cleared.stdout).messages).toHaveLength(30)
    expect(cleared.stderr).toMatch(
      /^chat\.json: 30 messages -> 30, \d results cleared, \d+ % of the prompt prefix kept\n$/,
    )
    expect(none).toMatchObject({ code: 2, stdout: '' })
    expect(none.stderr).toContain('trim needs exactly one limit')
    for (const [flags, problem] of [
      [['--max-messages', 'ten'], '--max-messages must be an integer of at least 1, got "ten"'],
      [['--max-tokens', '800', '--keep-results', '2'], '--keep-results needs --clear-results'],
      [['--max-messages', '6', '--clear-results'], '--clear-results needs --max-tokens'],
    ] as const) {
      const wrong = await antiphon(['trim', ...flags, 'chat.json'], { cwd })
      expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(problem) })
    }
  })

  test('[C112] convert prints the history in another format, and what is lost', async () => {
    const [found, broken, wrong] = await Promise.all([
      antiphon(['convert', '--to', 'anthropic'], { input: json(healthy) }),
      antiphon(['convert', '--to', 'anthropic', '--json'], { input: json(unanswered) }),
      antiphon(['convert', '--to', 'klingon'], { input: json(healthy) }),
    ])
    expect(JSON.parse(found.stdout)).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'tool_use', name: 'search_flights', input: { to: 'LIS' } }] },
      { role: 'user', content: [{ type: 'tool_result' }] },
    ])
    expect(lines(found.stderr).at(-1)).toBe('<stdin>: 3 messages in openai-chat -> 3 in anthropic')
    expect(JSON.parse(broken.stderr).repairs).toMatchObject([{ rule: 'unanswered-call' }])
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
  })

  test('[C192] check --because shows the call that an error names by its id', async () => {
    const cwd = folder({
      'body.json': json({ model: 'gpt-5', messages: unanswered }),
      'list.json': json(anthropicUnanswered),
    })
    const openai =
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: call_1"
    const anthropic =
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.'
    const [first, second, other] = await Promise.all([
      antiphon(['check', 'body.json', '--because', openai], { cwd }),
      antiphon(['check', '--json', 'list.json', '--because', anthropic], { cwd }),
      antiphon(['check', 'body.json', '--because', openai.replace('call_1', 'call_12')], { cwd }),
    ])
    expect(lines(first.stdout)[1]).toMatch(/^ {2}--> body\.json {2}messages\[1\]\.tool_calls\[0\] {3}\{"id":"call_1"/)
    expect(JSON.parse(second.stdout).named.places.map(({ at }: { at: string }) => at)).toEqual([
      'messages[1]',
      'messages[1].content[0]',
    ])
    expect(lines(other.stdout)[1]).toBe('  --> body.json   the error names no place')
  })

  test('[C113] completion prints a script for bash, zsh and fish', async () => {
    const [bash, zsh, fish, none] = await Promise.all(
      ['bash', 'zsh', 'fish', 'tcsh'].map(shell => antiphon(['completion', shell])),
    )
    for (const { stdout, code } of [bash, zsh, fish]) {
      expect(code).toBe(0)
      expect(stdout).toMatch(/\bcheck\b[\s\S]*\bmistral\b/)
    }
    expect(none).toMatchObject({ code: 2, stdout: '' })
    const complete = (...words: string[]): string[] => {
      const typed = `COMP_WORDS=(antiphon ${words.map(word => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}`
      const script = `${bash.stdout}\n${typed}; _antiphon; printf '%s\\n' "\${COMPREPLY[@]}"`
      return lines(spawnSync('bash', ['-c', script], { encoding: 'utf8' }).stdout)
    }
    expect(complete('sh')).toEqual(['shrink', 'show'])
    expect(complete('check', '--for', 'mis')).toEqual(['mistral', 'mistral-template'])
    expect(complete('heal', '--dr')).toEqual(['--dry-run'])
    expect(complete('tape', 'sh')).toContain('show')
    // [C198]
    expect(complete('explain', 'thread-b')).toEqual(['thread-busy'])
    expect(complete('explain', 'unansw')).toEqual(['unanswered-call'])
    expect(complete('convert', '--to', 'gem')).toEqual(['gemini', 'gemini-interactions'])
    expect(complete('move', '--to', 'cl')).toEqual(['claude-code'])
    expect([complete('proxy', '--to', 'gem'), complete('strict', '--to', 'gem')]).toEqual([[], []])
  })

  test("[C114] check points at the place that a provider's error names", async () => {
    const error = json({
      error: {
        message:
          "Invalid type for 'messages[1].content': expected one of a string or array of objects, but got null instead.",
        param: 'messages[1].content',
      },
    })
    const text = 'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1'
    const cwd = folder({ 'body.json': json({ messages: unanswered }), 'error.txt': text, 'error.json': error })
    const [named, unknown] = await Promise.all([
      antiphon(['check', 'body.json', '--because', 'error.txt'], { cwd }),
      antiphon(['check', 'body.json', '--because', 'no error that anybody has seen'], { cwd }),
    ])
    expect(named.code).toBe(1)
    expect(lines(named.stdout)[0]).toMatch(/^rejected\[history\]: .*tool_use/)
    expect(lines(named.stdout)[1]).toMatch(/^ {2}--> body\.json {2}messages\[1\] {3}\{"role":"assistant"/)
    expect(unknown).toMatchObject({ code: 2 })
    expect(unknown.stderr).toContain('unknown error of a provider')
  })
})

describe('[C115] a command loads only what it needs', () => {
  const hooks = `data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module'
    const seen = []
    registerHooks({ load(url, context, next) { seen.push(url); return next(url, context) } })
    process.on('exit', () => process.stderr.write(JSON.stringify(seen)))
  `)}`
  const loaded = (...args: string[]): string[] => {
    const main = join(root, 'src/apps/cli/main.ts')
    const { stderr } = spawnSync(process.execPath, ['--import', hooks, main, ...args], {
      encoding: 'utf8',
      input: '[]',
    })
    return (JSON.parse(stderr.slice(stderr.indexOf('["'))) as string[]).filter(url => url.includes('/src/'))
  }

  test('the version needs next to nothing', () => {
    expect(loaded('--version').length).toBeLessThan(4)
  })

  test('check needs no journal, no proxy, no strict provider and no system of the doctor', () => {
    const files = loaded('check')
    expect(files.some(url => url.endsWith('/commands/check.ts'))).toBe(true)
    const heavy =
      /\/src\/(strict|doctor\/systems|integrations\/proxy|apps\/viewer)\/|\/journal\/(journal|run|thread)\.ts$/
    expect(files.filter(url => heavy.test(url))).toEqual([])
  })
})
