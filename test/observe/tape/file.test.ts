import { spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openTape, readTape } from '../../../src/observe/tape/index.ts'
import { folder } from '../../apps/cli/program.ts'
import { root } from '../../repository.ts'
import { interrupted } from './recording.ts'

const node = (
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<{ code: number | null; said: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env: { ...process.env, ...env } })
    const said: Buffer[] = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => said.push(chunk))
    child.on('error', reject)
    child.on('close', code => resolve({ code, said: Buffer.concat(said).toString() }))
  })

describe('a tape in a file', () => {
  test('[TP9] several processes that write one file lose nothing and mix nothing', async () => {
    const file = join(folder(), 'shared.tape')
    const script = join(root, 'test/observe/tape/append.ts')
    const lengths = [10, 1000, 70_000, 300_000]
    await Promise.all(lengths.map(length => node([script, file, '60', String(length)])))
    const { heads, entries, faults, cut } = readTape(readFileSync(file, 'utf8'))
    expect({ heads: heads.length, faults, cut }).toEqual({ heads: 4, faults: [], cut: false })
    expect(entries).toHaveLength(240)
    for (const { from } of heads) {
      const own = entries.filter(entry => entry.from === from) as { order: number; content?: unknown }[]
      expect(own.map(({ order }) => order)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1))
      expect(own.map(({ content }) => Number(String(content).split(':')[0]))).toEqual(own.map((_, index) => index))
      expect(new Set(own.map(({ content }) => String(content).split(':')[1])).size).toBe(1)
    }
  })

  test('[TP9] a file is only ever appended to, on a new line after an incomplete one, and only its owner may read it', () => {
    const file = join(folder(), 'chat.tape')
    const half = '{"at":17,"ord'
    const one = openTape(file, { from: 'one' })
    one.input()
    appendFileSync(file, half)
    const two = openTape(file, { from: 'two' })
    two.input()
    // Another writer is killed while both have the file open.
    appendFileSync(file, half)
    one.input()
    appendFileSync(file, half)
    two.input()
    const text = readFileSync(file, 'utf8')
    const { heads, entries, faults } = readTape(text)
    expect(heads.map(({ from }) => from)).toEqual(['one', 'two'])
    expect(entries.map(({ from }) => from)).toEqual(['one', 'two', 'one', 'two'])
    const torn = text.split('\n').flatMap((line, index) => (line === half ? [index + 1] : []))
    expect(faults).toEqual(torn.map(line => ({ line, reason: 'not JSON' })))
    expect(torn).toHaveLength(3)
    expect(statSync(file).mode & 0o077).toBe(0)
  })

  test('[TP24] a file that is not a tape is left as it is, with its mode, and that is said', () => {
    const file = join(folder(), 'config.json')
    writeFileSync(file, '{"my":"precious config"}\n', { mode: 0o644 })
    const warnings: string[] = []
    openTape(file, { from: 'one', warn: warning => warnings.push(warning) }).input()
    expect(readFileSync(file, 'utf8')).toBe('{"my":"precious config"}\n')
    expect(statSync(file).mode & 0o777).toBe(0o644)
    expect(warnings).toEqual([
      `the tape could not record an event: ${file} is not a tape, so nothing is recorded to it`,
    ])
  })

  test('[TP24] a pipe that is not read does not stop the program', () => {
    const file = join(folder(), 'pipe')
    if (spawnSync('mkfifo', [file]).status !== 0) throw new Error('mkfifo failed')
    const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const warnings: string[] = []
    const tape = openTape(file, { from: 'one', redact: false, warn: warning => warnings.push(warning) })
    for (let count = 0; count < 40; count++) tape.request({ body: { model: 'm', messages: ['x'.repeat(10_000)] } })
    closeSync(reader)
    expect(warnings).toHaveLength(1)
  })

  test.each([0o666, 0o644, 0o620])('[SE45] a file of mode %o is closed to others, and that is said', async mode => {
    const file = join(folder(), 'chat.tape')
    writeFileSync(file, '')
    chmodSync(file, mode)
    const told: string[] = []
    const hear = ({ message }: Error): void => void told.push(message)
    process.on('warning', hear)
    openTape(file, { from: 'one' }).input()
    await new Promise(setImmediate)
    process.off('warning', hear)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(told).toEqual([`${file}: others could read it (mode ${mode.toString(8)}); now only its owner can`])
    expect(readTape(readFileSync(file, 'utf8')).entries).toHaveLength(1)
  })

  test('[SE45] nothing is written to a file that others can still read', () => {
    const path = folder()
    const file = join(path, 'chat.tape')
    writeFileSync(file, '')
    chmodSync(file, 0o666)
    chmodSync(path, 0o777)
    const script = `const { openTape } = await import(${JSON.stringify(join(root, 'src/observe/tape/index.ts'))})
if (process.getuid() === 0) process.setuid(65534)
openTape(${JSON.stringify(file)}, { redact: false }).input({ content: 'secret' })`
    const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
    expect(status).toBe(0)
    expect(stderr).toContain(`${file}: others `)
    if ((statSync(file).mode & 0o077) !== 0) expect(readFileSync(file, 'utf8')).toBe('')
  })

  test('[TP5] a file that cannot be written costs one warning, and the program goes on', () => {
    const path = folder()
    mkdirSync(join(path, 'chat.tape'))
    for (const file of [join(path, 'chat.tape'), join(path, 'none', 'chat.tape')]) {
      const told: string[] = []
      const tape = openTape(file, { warn: words => told.push(words) })
      interrupted(tape)
      expect(told).toHaveLength(1)
    }
  })

  test('[TP10] ANTIPHON_TAPE names the tape of a process, and the variable is read once', async () => {
    const path = folder()
    const file = join(path, 'named.tape')
    const script = join(path, 'program.ts')
    writeFileSync(
      script,
      `import { tapeFromEnvironment } from ${JSON.stringify(join(root, 'src/observe/tape/index.ts'))}
const tape = tapeFromEnvironment()
process.env.ANTIPHON_TAPE = 'elsewhere.tape'
if (tape !== tapeFromEnvironment()) throw new Error('asked twice')
tape?.input({ content: 'Hi.' })
console.log(tape === undefined ? 'none' : 'recorded')
`,
    )
    expect(await node([script], { ANTIPHON_TAPE: file })).toEqual({ code: 0, said: 'recorded\n' })
    expect(readTape(readFileSync(file, 'utf8')).entries).toMatchObject([{ kind: 'input', content: 'xx.' }])
    expect(await node([script], { ANTIPHON_TAPE: '' })).toEqual({ code: 0, said: 'none\n' })
    const { code, said } = await node([script], { ANTIPHON_TAPE: join(path, 'none', 'x.tape') })
    expect(code).toBe(0)
    expect(said.match(/ANTIPHON_TAPE/g)).toHaveLength(1)
    expect(said).toContain('recorded')
  })
})
