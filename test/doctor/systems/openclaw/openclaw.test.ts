import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { openclaw } from '../../../../src/doctor/systems/openclaw/index.ts'
import { describeSamples } from '../../chat/samples.ts'
import { all, describeSystem, inFolder } from '../../contract.ts'
import { readOpenclaw, subject } from './subject.ts'

describeSystem(subject)
describeSamples({ system: openclaw, title: '[DD72] samples of OpenClaw', read: readOpenclaw })

const times = { timestamp: '2026-08-12T10:15:00.000Z' }
const header = { type: 'session', version: 3, id: 'a', ...times, cwd: '/home/dev' }
const entry = (id: string, parentId: string | null, message: object): object => ({
  type: 'message',
  id,
  parentId,
  ...times,
  message: { timestamp: 1, ...message },
})
const asked = entry('u1', null, { role: 'user', content: 'Deploy it.' })
const called = entry('a1', 'u1', {
  role: 'assistant',
  content: [{ type: 'toolCall', id: 'call_1', name: 'bash', arguments: {} }],
  stopReason: 'toolUse',
})
const done = (id: string, parentId: string): object =>
  entry(id, parentId, {
    role: 'toolResult',
    toolCallId: 'call_1',
    toolName: 'bash',
    content: [{ type: 'text', text: 'deployed' }],
  })
const next = (parentId: string): object => entry('u2', parentId, { role: 'user', content: 'Is it done?' })

describe('two writers', () => {
  test('[DD73] the result that the other process wrote is the parent of what followed its call', async () => {
    const healed = await heal([
      header,
      asked,
      called,
      next('a1'),
      done('r1', 'a1'),
      entry('u3', 'u2', { role: 'user', content: 'And?' }),
    ])
    expect(links(healed)).toEqual(['u1 < null', 'a1 < u1', 'r1 < a1', 'u2 < r1', 'u3 < u2'])
  })

  test('[DD73] a session with a lock of a running process is left alone, and one line says how to go on', async () => {
    await inSession([header, asked, called, next('a1')], async (folder, path) => {
      writeFileSync(`${path}.lock`, JSON.stringify({ pid: process.ppid, createdAt: new Date().toISOString() }))
      const before = readFileSync(path, 'utf8')
      const [found] = await fix(folder)
      expect(found).toMatchObject({ kind: 'conversation', examination: { state: 'busy' } })
      expect(readFileSync(path, 'utf8')).toBe(before)
      writeFileSync(`${path}.lock`, JSON.stringify({ pid: 999_999_999, createdAt: new Date().toISOString() }))
      await fix(folder)
      expect(readFileSync(path, 'utf8')).not.toBe(before)
    })
  })
})

const links = (lines: readonly Record<string, unknown>[]): string[] =>
  lines.slice(1).map(({ id, parentId }) => `${id} < ${parentId}`)

const fix = (folder: string) =>
  all(examineStores([folder], { systems: [openclaw], fix: true, backups: join(folder, '..', 'backups') })).then(found =>
    found.filter(({ kind }) => kind === 'conversation'),
  )

function inSession<T>(lines: readonly object[], work: (folder: string, path: string) => Promise<T>): Promise<T> {
  return inFolder(async folder => {
    const path = join(folder, 'agents', 'main', 'sessions', 'a.jsonl')
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
    return work(folder, path)
  })
}

const heal = (lines: readonly object[]): Promise<Record<string, unknown>[]> =>
  inSession(lines, async (folder, path) => {
    await fix(folder)
    return readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
  })
