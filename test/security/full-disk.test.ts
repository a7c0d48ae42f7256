import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openJournal } from '../../src/journal/index.ts'
import { createTape, openTape, readTape } from '../../src/observe/tape/index.ts'
import { isTape } from '../../src/observe/tape/read-tape.ts'
import { antiphon, folder } from '../apps/cli/program.ts'
import { programFile } from '../programs.ts'

describe('a tape on a disk that is full for a while', () => {
  test('[TP25] what is recorded when there is space again can be read', () => {
    let text = ''
    let isFull = true
    const warnings: string[] = []
    const write = (line: string): void => {
      if (isFull) throw new Error('no space left')
      text += line
    }
    const tape = createTape({ write, warn: message => warnings.push(message) })
    tape.input({ content: 'lost' })
    isFull = false
    tape.input({ content: 'kept' })
    tape.input({ content: 'kept, too' })
    const { heads, entries, faults } = readTape(text)
    expect(isTape(text)).toBe(true)
    expect({ heads: heads.length, entries: entries.length }).toEqual({ heads: 1, entries: 2 })
    expect(faults).toEqual([{ line: 2, reason: '1 entry of the same writer missing before it' }])
    expect(warnings).toEqual(['the tape could not record an event: no space left'])
  })

  test('[TP25] a head line that was cut off does not end the recording, for this writer and the next', async () => {
    const file = join(folder(), 'chat.tape')
    writeFileSync(file, '{"kind":"tape","vers', { mode: 0o600 })
    for (const content of ['one', 'two']) openTape(file).input({ content })
    const text = readFileSync(file, 'utf8')
    const { heads, entries } = readTape(text)
    expect({ heads: heads.length, entries: entries.length }).toEqual({ heads: 2, entries: 2 })
    expect((await antiphon(['tape', 'show', file])).code).toBe(0)
  })
})

describe('output to a file that cannot grow', () => {
  const history = [
    { role: 'user', content: 'x'.repeat(300_000) },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'user', content: 'Go on.' },
  ]

  const runLimited = (args: readonly string[], output: number | 'ignore') => {
    // In blocks of 512 bytes.
    const limit = ['-c', 'ulimit -f 128; exec "$0" "$@"', process.execPath, programFile('antiphon')]
    return spawnSync('sh', [...limit, ...args], { stdio: ['ignore', output, 'pipe'], encoding: 'utf8' })
  }

  test
    .skipIf(!existsSync('/dev/full'))
    .each([['check'], ['check', '--json'], ['doctor', '--json'], ['explain', '--json']])(
    '[SE262] %s %s to a full disk says so in one line, and ends',
    (...args) => {
      const place = folder()
      const files = ['a.json', 'b.json'].map(name => join(place, name))
      for (const file of files) writeFileSync(file, JSON.stringify(history))
      const output = openSync('/dev/full', 'w')
      const given = args[0] === 'explain' ? [] : files
      const { status, stderr } = spawnSync(process.execPath, [programFile('antiphon'), ...args, ...given], {
        stdio: ['ignore', output, 'pipe'],
        encoding: 'utf8',
        timeout: 60_000,
        maxBuffer: 64 * 1024,
      })
      closeSync(output)
      expect({ status, stderr }).toEqual({ status: 2, stderr: 'antiphon: <stdout>: there is no space left\n' })
    },
  )

  test('[SE262] extract --out leaves nothing of a file that was cut', () => {
    const place = folder()
    writeFileSync(join(place, 'chat.json'), JSON.stringify(history))
    const { status, stderr } = runLimited(['extract', '--out', join(place, 'out'), join(place, 'chat.json')], 'ignore')
    expect(stderr).toContain('it would be larger than the system allows')
    expect({ status, left: readdirSync(join(place, 'out')) }).toEqual({ status: 2, left: [] })
  })

  test.each(['heal', 'convert --to anthropic', 'trim --max-tokens 1000000', 'export'])(
    '[SE262] %s fails if its output was cut',
    async command => {
      const place = folder()
      const input = join(place, 'chat.json')
      if (command === 'export') {
        const journal = await openJournal(`sqlite:${input}`)
        await journal.thread('long').submit('x'.repeat(300_000))
        await journal.close()
      } else writeFileSync(input, JSON.stringify(history))
      const output = join(place, 'output')
      const handle = openSync(output, 'w')
      const { status, stderr } = runLimited([...command.split(' '), input], handle)
      closeSync(handle)
      expect(stderr).toContain('antiphon: <stdout>: it would be larger than the system allows')
      expect(status).toBe(2)
      expect(statSync(output).size).toBeLessThan(300_000)
    },
  )
})
