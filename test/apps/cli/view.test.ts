import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, test } from 'vitest'
import { programFile } from '../../programs.ts'
import { antiphon, folder, lines } from './program.ts'

const chat = JSON.stringify([{ role: 'user', content: 'hi' }])

describe('view', () => {
  test('[VW23] it prints its URL in one line, serves what it was given, and stops on a signal', async () => {
    const home = folder({ 'chat.json': chat })
    const child = spawn(process.execPath, [programFile('antiphon'), 'view', join(home, 'chat.json'), '-'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.stdin.end(chat.replace('hi', 'from standard input'))
    const said: string[] = []
    const printed = createInterface({ input: child.stdout })
    printed.on('line', line => said.push(line))
    await once(printed, 'line')
    const url = /http:\/\/127\.0\.0\.1:\d+\/[\w-]+\//.exec(said[0])?.[0] ?? ''
    for (const [source, words] of [
      ['1', 'hi'],
      ['2', 'from standard input'],
    ]) {
      const document = await (await fetch(`${url}api/documents/${source}/1`)).json()
      expect(document).toMatchObject({ kind: 'history', value: [{ role: 'user', content: words }] })
    }
    // A stream that is open does not keep it.
    const events = await fetch(`${url}api/events`)
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    expect(await events.text()).toContain('"kind":"source"')
    expect(said).toHaveLength(1)
  })

  test('[VW24] unreadable input is one line and exit code 2', async () => {
    const home = folder({ 'chat.json': chat, 'bad.json': '{"a": 1}', 'page.html': 'my own' })
    const at = (name: string): string => join(home, name)
    const refused: readonly (readonly [readonly string[], RegExp])[] = [
      [[at('none.json')], /none\.json: there is no such file/],
      [[at('bad.json')], /bad\.json: .*\(pass a list/],
      [[at('none.json'), at('bad.json')], /none\.json.*bad\.json/],
      [[at('chat.json'), '--system', 'codex'], /it is not a store of codex/],
      [[at('chat.json'), '--port', '70000'], /invalid port "70000"/],
      [[at('chat.json'), '--export', at('page.html')], /not an export \(--force replaces it\)/],
      [
        [at('chat.json'), '--export', at('none/page.html')],
        /page\.html: it cannot be written: its folder does not exist/,
      ],
      [['postgres://me:hunter2@127.0.0.1:1/x'], /127\.0\.0\.1:1/],
    ]
    const outcomes = await Promise.all(refused.map(([args]) => antiphon(['view', ...args])))
    for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
      expect({ code, stdout, lines: lines(stderr) }, refused[index][0].join(' ')).toEqual({
        code: 2,
        stdout: '',
        lines: [expect.stringMatching(refused[index][1])],
      })
      expect(stderr).not.toContain('hunter2')
    }
    expect(readFileSync(at('page.html'), 'utf8')).toBe('my own')
  })

  test('[VW25] --export writes one file; unreadable paths are reported, and the rest is exported', async () => {
    const home = folder({ 'chat.json': chat })
    const file = join(home, 'out.html')
    const { code, stdout, stderr } = await antiphon([
      'view',
      join(home, 'chat.json'),
      join(home, 'none.json'),
      '--export',
      file,
    ])
    expect({ code, lines: lines(stderr) }).toEqual({
      code: 0,
      lines: [expect.stringMatching(/none\.json: there is no such file/)],
    })
    expect(stdout).toMatch(/out\.html: 2 conversations, \d+ kB\n$/)
    expect(existsSync(file)).toBe(true)
    expect(readFileSync(file, 'utf8')).toContain('"antiphon-documents"')
  })
})
