import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { escapeControls } from '../../src/apps/cli/output/terminal-guard.ts'
import { plain } from '../../src/apps/cli/plain.ts'
import { warn } from '../../src/heal/warn.ts'
import { openJournal } from '../../src/journal/index.ts'
import { createTape } from '../../src/observe/tape/index.ts'
import { antiphon, folder } from '../apps/cli/program.ts'
import { programFile } from '../programs.ts'
import { root } from '../repository.ts'

/** What steers a terminal: C0, DEL, C1, line separators, and marks that turn the direction of text. */
const steering = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, code) => 0x7f + code),
  ...[0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
].map(code => String.fromCharCode(code))
const hostile = `a${steering.join('')}b\u009b2J\u001b]0;title\u0007`
/** Without what JSON itself escapes. */
const raw = steering.filter(character => character >= '\u007f')

/** The same as a name: PostgreSQL and arguments of programs end at a zero. */
const thread = hostile.replaceAll('\0', '')
const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
const chat = JSON.stringify([
  { role: 'user', content: hostile },
  { role: 'assistant', content: hostile, tool_calls: [call] },
  { role: 'user', content: hostile },
])

let cwd = ''
beforeAll(async () => {
  const lines: string[] = []
  const tape = createTape({ write: line => lines.push(line), redact: false })
  const id = tape.request({
    format: 'openai-chat',
    dialect: 'openai',
    body: { messages: JSON.parse(chat), model: hostile },
  })
  tape.response(id, { status: 400, body: { error: { message: `messages ${raw.join('')}` } } })
  cwd = folder({ 'chat.json': chat, 'chat.tape': lines.join('') })
  const journal = await openJournal(`sqlite:${join(cwd, 'chat.db')}`)
  await journal.thread(thread).submit(hostile)
  await journal.close()
})

/** Runs the program in a terminal, and gives what the terminal gets. */
function inTerminal(args: readonly string[]): string {
  const script = 'import pty, sys; pty.spawn(sys.argv[1:])'
  const { stdout } = spawnSync('python3', ['-c', script, process.execPath, programFile('antiphon'), ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1' },
    input: '',
  })
  // The terminal adds a carriage return to every line feed, and our own bar begins its line again.
  return stdout.toString().replaceAll('\r\n', '\n').replaceAll('\r\u001b[K', '')
}

describe('a terminal', () => {
  const commands: [string, string[], 'json' | 'lines' | 'text'][] = [
    ['heal', ['heal', 'chat.json'], 'text'],
    ['check', ['check', 'chat.json'], 'text'],
    ['check --json', ['check', '--json', 'chat.json'], 'text'],
    ['shrink', ['shrink', 'chat.json'], 'text'],
    ['doctor --json', ['doctor', '--json', 'chat.json'], 'text'],
    ['export', ['export', 'chat.db'], 'lines'],
    ['export --for', ['export', 'chat.db', '--for', 'openai'], 'lines'],
    ['threads', ['threads', 'chat.db'], 'text'],
    ['threads --json', ['threads', '--json', 'chat.db'], 'lines'],
    ['show', ['show', 'chat.db', thread], 'text'],
    ['tape show', ['tape', 'show', 'chat.tape'], 'text'],
    ['tape show --json', ['tape', 'show', '--json', 'chat.tape'], 'text'],
    ['an unknown command', ['x\u009b2J\u202e'], 'text'],
    ['an unknown file', ['check', 'x\u009b2J\u202e.json'], 'text'],
  ]

  test.each(commands)('[SE44] is not steered by what %s shows', (_, args) => {
    const shown = inTerminal(args)
    expect(shown.length).toBeGreaterThan(10)
    const found = steering.filter(character => !['\n', '\t'].includes(character) && shown.includes(character))
    expect(found.map(character => character.charCodeAt(0).toString(16))).toEqual([])
  })

  test.each(commands.filter(([, , kind]) => kind === 'lines'))(
    '[SE44] %s shows the same values there, and gives the exact bytes to a program',
    async (_, args) => {
      const { stdout } = await antiphon(args, { cwd })
      for (const character of raw) expect(stdout).toContain(character)
      const values = (text: string): unknown[] =>
        text
          .split('\n')
          .filter(line => line.startsWith('{'))
          .map(line => JSON.parse(line))
      expect(values(inTerminal(args))).toEqual(values(stdout))
    },
  )

  test('[SE44] heal and shrink give exact bytes to a program', async () => {
    for (const command of ['heal', 'shrink']) {
      const { stdout } = await antiphon([command, 'chat.json'], { cwd })
      for (const character of raw) expect(stdout).toContain(character)
    }
  })

  test('[SE44] keeps our own colours and lines', () => {
    const ours = '\u001b[31m\u001b[1mred\u001b[22m\u001b[39m\tx\r\n'
    expect(escapeControls(ours)).toBe(ours)
    const bar = '\r\u001b[K[###---]\n'
    expect(escapeControls(bar)).toBe(bar)
    expect(escapeControls('a\rb\u001b[2Jc\u001b]0;t\u0007')).toBe('a\\rb\\u001b[2Jc\\u001b]0;t\\u0007')
  })

  test('[SE83] keeps no other colour, and no line that is drawn again in the middle of a text', () => {
    for (const code of ['', '0', '7', '8', '30', '40', '1;31', '38;5;0', '31;40'])
      expect(escapeControls(`a\u001b[${code}mb`)).toBe(`a\\u001b[${code}mb`)
    expect(escapeControls('error\r\u001b[Kfine')).toBe('error\\r\\u001b[Kfine')
    expect(escapeControls('error\n\r\u001b[Kfine')).toBe('error\n\\r\\u001b[Kfine')
  })

  test('[SE44] one line of foreign text is spelt out wherever it is shown', () => {
    expect(steering.filter(character => plain(hostile).includes(character))).toEqual([])
  })
})

describe('a warning of the process', () => {
  const warningOf = async (act: () => unknown): Promise<string> => {
    const warned = once(process, 'warning') as Promise<[Error]>
    await act()
    return (await warned)[0].message
  }
  const id = '\u001b]0;t\u0007\u202e'
  const results = ['real', 'other'].map(content => ({ role: 'tool', tool_call_id: id, content }))
  const history = [
    { role: 'user', content: 'x' },
    { role: 'assistant', tool_calls: [{ ...call, id }] },
    ...results,
    { role: 'user', content: 'go' },
  ]

  test.each([
    ['an error of a listener', () => warn(new Error(hostile))],
    [
      'a tape that cannot be written',
      () =>
        createTape({
          write() {
            throw new Error(hostile)
          },
        }),
    ],
  ])('[SE83] is not steered by %s', async (_, act) => {
    const message = await warningOf(act)
    expect(message).toContain('\\u001b')
    expect(steering.filter(character => message.includes(character))).toEqual([])
  })

  /** In a process of its own: each rule is warned of once. */
  test('[SE83] is not steered by a repair that drops content', () => {
    const file = pathToFileURL(join(root, 'src/index.ts')).href
    const program = `import { heal } from '${file}'; heal(${JSON.stringify(history)}, { for: 'openai' })`
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
    const [line] = stderr.split('\n')
    expect(line).toContain('a repair dropped content')
    expect(line).toContain('\\u001b')
    expect(steering.filter(character => line.includes(character))).toEqual([])
  })

  test('[SE83] spells foreign text out wherever one is made', () => {
    const files = globSync('src/**/*.ts', { cwd: root })
    const calls = files.flatMap(file =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/\.emitWarning\??\.?\((.{10})/g)].map(([, argument]) => [
        file,
        argument,
      ]),
    )
    expect(calls.length).toBeGreaterThan(6)
    expect(calls.filter(([, argument]) => argument !== 'printable(')).toEqual([])
  })
})
