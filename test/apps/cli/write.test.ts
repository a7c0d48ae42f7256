import { once } from 'node:events'
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { describe, expect, test } from 'vitest'
import { replaceFileWithBackup } from '../../../src/doctor/files/replace-file.ts'
import { heal } from '../../../src/heal/heal.ts'
import { healthy, json, jsonl, pretty, unanswered } from './histories.ts'
import { antiphon, folder } from './program.ts'

const read = (...path: string[]): string => readFileSync(join(...path), 'utf8')

describe.concurrent('heal --write', () => {
  test('[C18] it replaces the file, keeps the old one and its mode, and overwrites no backup', async () => {
    const cwd = folder({ 'chat.json': pretty(unanswered), 'chat.json.bak': 'precious', 'log.jsonl': jsonl(unanswered) })
    chmodSync(join(cwd, 'chat.json'), 0o640)
    const { code, stdout, stderr } = await antiphon(['heal', '--write', 'chat.json', 'log.jsonl'], { cwd })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toContain('chat.json: 1 repair for openai (format openai-chat), backup in chat.json.bak.1\n')
    expect(readdirSync(cwd).sort()).toEqual(
      ['chat.json', 'chat.json.bak', 'chat.json.bak.1', 'log.jsonl', 'log.jsonl.bak'].sort(),
    )
    expect(read(cwd, 'chat.json')).toBe(pretty(heal(unanswered)))
    expect(read(cwd, 'chat.json.bak')).toBe('precious')
    expect(read(cwd, 'chat.json.bak.1')).toBe(pretty(unanswered))
    expect(read(cwd, 'log.jsonl')).toBe(jsonl(heal(unanswered)))
    expect(statSync(join(cwd, 'chat.json')).mode & 0o777).toBe(0o640)
  })

  test('[C18] a symbolic link stays one, and its target is replaced', async () => {
    const cwd = folder({ 'real.json': json(unanswered) })
    mkdirSync(join(cwd, 'links'))
    symlinkSync(join('..', 'real.json'), join(cwd, 'links', 'chat.json'))
    const { code } = await antiphon(['heal', '--write', 'links/chat.json'], { cwd })
    expect(code).toBe(0)
    expect(lstatSync(join(cwd, 'links', 'chat.json')).isSymbolicLink()).toBe(true)
    expect(read(cwd, 'real.json')).toBe(json(heal(unanswered)))
    expect(read(cwd, 'real.json.bak')).toBe(json(unanswered))
    expect(readdirSync(join(cwd, 'links'))).toEqual(['chat.json'])
  })

  test('[C19] a healthy file is not touched, nor is one that cannot be read', async () => {
    const cwd = folder({ 'chat.json': json(healthy), 'broken.json': '[{' })
    const past = new Date(1_000_000_000_000)
    utimesSync(join(cwd, 'chat.json'), past, past)
    const { ino } = statSync(join(cwd, 'chat.json'))
    const { code } = await antiphon(['heal', '--write', 'broken.json', 'chat.json'], { cwd })
    expect(code).toBe(2)
    expect(readdirSync(cwd).sort()).toEqual(['broken.json', 'chat.json'])
    expect(statSync(join(cwd, 'chat.json'))).toMatchObject({ ino, mtimeMs: past.getTime() })
  })

  test('[C19] standard input cannot be replaced', async () => {
    const { code, stdout, stderr } = await antiphon(['heal', '--write'], { input: json(unanswered) })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(
      'antiphon: --write needs files: standard input cannot be replaced (name a file, or omit --write to print the repaired history)\n',
    )
  })

  test('[C19] a file that changed meanwhile, or is none, is left as it is, and nothing lies about', () => {
    const cwd = folder({ 'chat.json': 'newer' })
    const file = join(cwd, 'chat.json')
    const [before, after] = ['older', 'healed'].map(text => Buffer.from(text))
    expect(() => replaceFileWithBackup(file, before, after)).toThrow(/chat\.json: it changed during the repair/)
    expect(() => replaceFileWithBackup(cwd, before, after)).toThrow(/it is not a regular file/)
    expect(() => replaceFileWithBackup(join(cwd, 'gone.json'), before, after)).toThrow(/there is no such file/)
    expect(readdirSync(cwd)).toEqual(['chat.json'])
    expect(read(file)).toBe('newer')
  })

  test('[C18] a reader sees the old file or the new one while it is replaced, whole', async () => {
    const [old, healed] = ['o', 'h'].map(letter => Buffer.from(letter.repeat(1 << 20)))
    const cwd = folder({ 'chat.json': old })
    const file = join(cwd, 'chat.json')
    const flag = new Int32Array(new SharedArrayBuffer(8))
    const reader = new Worker(readOnAndOn, { eval: true, workerData: { file, flag } })
    const seen = once(reader, 'message')
    Atomics.wait(flag, 0, 0, 10_000)
    for (let round = 0; round < 20; round++) {
      const [before, after] = round % 2 === 0 ? [old, healed] : [healed, old]
      replaceFileWithBackup(file, before, after)
    }
    Atomics.store(flag, 1, 1)
    for (const sight of (await seen)[0]) expect([`o ${1 << 20}`, `h ${1 << 20}`]).toContain(sight)
    expect(readdirSync(cwd)).toHaveLength(21)
  })
})

const readOnAndOn = `
  const { readFileSync } = require('node:fs')
  const { parentPort, workerData: { file, flag } } = require('node:worker_threads')
  const seen = new Set()
  while (Atomics.load(flag, 1) === 0) {
    const text = readFileSync(file, 'latin1')
    seen.add(text[0] + ' ' + text.length)
    Atomics.store(flag, 0, 1)
    Atomics.notify(flag, 0)
  }
  parentPort.postMessage([...seen])`
