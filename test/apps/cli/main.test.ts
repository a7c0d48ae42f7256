import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { programFile } from '../../programs.ts'
import { root } from '../../repository.ts'
import { json, user } from './histories.ts'
import { antiphon, folder, lines } from './program.ts'

describe.concurrent('the program', () => {
  test('[C27] the demo shows six failures, before and after, within 100 columns', async () => {
    const { code, stdout } = await antiphon(['demo'])
    expect(code).toBe(0)
    const titles = stdout.match(/^\d\. .*$/gm)?.map(title => title.split('  ').at(-1))
    expect(titles).toEqual([
      'orphan-result',
      'interleaved-message',
      'interleaved-message',
      'system-not-first',
      'duplicate-result',
      'reasoning-signature',
    ])
    const flat = stdout.replace(/\n {3}(?=\S)/g, ' ')
    expect(flat.match(/ before: [a-z-]+ answers 400, ".+?"/g)).toHaveLength(6)
    expect(flat.match(/ after: .+?; [a-z-]+ answers 200/g)).toHaveLength(6)
    expect(flat).toContain(
      'before: anthropic answers 400, "messages.1: `tool_use` ids were found without `tool_result`',
    )
    expect(flat).toContain(
      'before: anthropic answers 400, "messages.1.content.0: Invalid `signature` in `thinking` block"',
    )
    expect(flat).toContain('after: reasoning that the provider does not accept is removed')
    expect(stdout.match(/^ ✗ /gm)).toHaveLength(6)
    expect(lines(stdout).filter(line => line.length > 100)).toEqual([])
  })

  test('[C27] the demo ticks the line that was repaired, and no other', async () => {
    const { stdout } = await antiphon(['demo'])
    const cases = stdout.split(/^(?=\d\. )/m).map(one => [...one.matchAll(/^ ([✗✓]) +(?:\w+ +)?(.+)$/gm)])
    const marked = cases.map(one => one.map(([, mark, text]) => `${mark} ${text.slice(0, 24)}`))
    expect(marked[1]).toEqual(['✗ "This deletes 12 tables.', '✓ "This deletes 12 tables.'])
    expect(marked[2]).toEqual(['✗ "Stop, the unit tests ar', '✓ "Stop, the unit tests ar'])
    expect(marked[3]).toEqual(['✗ "You are a travel agent.', '✓ "You are a travel agent.'])
  })

  test.each([50, 60, 80, 120])('[C27] the demo keeps to a terminal of %i columns', async columns => {
    const { code, stdout } = await antiphon(['demo'], { env: { COLUMNS: String(columns) } })
    expect(code).toBe(0)
    expect(lines(stdout).filter(line => line.length > Math.min(columns, 100))).toEqual([])
    expect(stdout.match(/^ ✗ /gm)).toHaveLength(6)
  })

  test('[C42] a command that does not exist is one line, also where its help is asked for', async () => {
    const cases = [
      ['translate', '--help'],
      ['help', 'translate'],
      ['chekc', '-h'],
      ['chekc'],
      ['tape', 'shwo', '--help'],
    ]
    const outcomes = await Promise.all(cases.map(args => antiphon(args)))
    for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
      expect([code, stdout, lines(stderr).length], cases[index].join(' ')).toEqual([2, '', 1])
      expect(stderr).toMatch(/^antiphon: unknown command '\w+' \((Did you mean|one of:) /)
    }
    expect(outcomes[2].stderr).toContain('(Did you mean check?)')
    expect(outcomes[4].stderr).toContain('(Did you mean show?)')
    expect(await antiphon(['help', 'check'])).toMatchObject({ code: 0, stderr: '' })
  })

  test('[C28] help has examples and exit codes, everywhere', async () => {
    const commands = ['check', 'heal', 'explain', 'shrink', 'strict']
    const helps = await Promise.all(
      [[], ...commands.map(command => [command])].map(args => antiphon([...args, '--help'])),
    )
    for (const { code, stdout } of helps) {
      expect(code).toBe(0)
      expect(stdout).toMatch(/\nExamples:\n {2}antiphon /)
      expect(stdout).toMatch(/\nExit codes: 0/)
      expect(lines(stdout).filter(line => line.length > 110)).toEqual([])
    }
    for (const command of [...commands, 'demo']) expect(helps[0].stdout).toMatch(new RegExp(`\\n {2}${command} `))
  })

  test('[C28] the version is that of the package, and no command is a wrong one', async () => {
    const [version, none] = await Promise.all([antiphon(['--version']), antiphon([])])
    expect(version).toMatchObject({
      code: 0,
      stdout: `${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}\n`,
    })
    expect(none).toMatchObject({ code: 2, stdout: '' })
    expect(none.stderr).toContain('Usage: antiphon')
  })

  test('[C29] a reader that has seen enough is not a failure', async () => {
    const many = Array.from({ length: 3000 }, (_, id) => ({ role: 'tool', tool_call_id: `c${id}`, content: 'x' }))
    const cwd = folder({ 'chat.json': json([user('Go.'), ...many]) })
    const child = spawn(process.execPath, [programFile('antiphon'), 'check', '--all', 'chat.json'], { cwd })
    const errors: Buffer[] = []
    child.stderr.on('data', chunk => errors.push(chunk))
    child.stdout.once('data', () => child.stdout.destroy())
    const [code] = await once(child, 'close')
    expect({ code, stderr: Buffer.concat(errors).toString() }).toEqual({ code: 1, stderr: '' })
  })
})
