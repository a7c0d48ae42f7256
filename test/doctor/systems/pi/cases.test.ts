import { readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { pi } from '../../../../src/doctor/systems/pi/index.ts'
import { all, inFolder, state } from '../../contract.ts'
import { subject } from './subject.ts'

type Json = Record<string, unknown>

const timestamp = '2026-08-12T10:15:00.000Z'
const header = { type: 'session', version: 3, id: 's', timestamp, cwd: '/home/dev' }
const entry = (id: string, parentId: string | null, message: Json): Json => ({
  type: 'message',
  id,
  parentId,
  timestamp,
  message: { ...message, timestamp: 1 },
})
const user = (id: string, parentId: string | null): Json =>
  entry(id, parentId, { role: 'user', content: `text of ${id}` })
const call = (id: string, parentId: string, more: Json = {}): Json =>
  entry(id, parentId, {
    role: 'assistant',
    content: [{ type: 'toolCall', id: `call_${id}`, name: 'bash', arguments: {} }],
    stopReason: 'toolUse',
    ...more,
  })
const result = (id: string, parentId: string, of: string, more: Json = {}): Json =>
  entry(id, parentId, {
    role: 'toolResult',
    toolCallId: `call_${of}`,
    toolName: 'bash',
    content: [{ type: 'text', text: `result of ${of}` }],
    isError: false,
    ...more,
  })

test('[DD71] a late result at the end moves up, and the program still continues from the last message', async () => {
  const healed = await heal([user('u1', null), call('a1', 'u1'), user('u2', 'a1'), result('r1', 'u2', 'a1')])
  expect(links(healed)).toEqual(['u1 < null', 'a1 < u1', 'r1 < a1', 'u2 < r1'])
})

test('[DD71] a placeholder goes after its call on the path, and another branch keeps its parent', async () => {
  const healed = await heal([user('u1', null), call('a1', 'u1'), user('u2', 'a1'), user('u3', 'a1')])
  expect(links(healed)).toEqual([
    'u1 < null',
    'a1 < u1',
    expect.stringMatching(/^\w{8} < a1$/),
    'u2 < a1',
    expect.stringMatching(/^u3 < \w{8}$/),
  ])
})

test('[DD71] when the last entry is removed, the program does not continue from another branch', async () => {
  const healed = await heal([user('u1', null), user('u2', 'u1'), user('u3', 'u1'), result('r1', 'u2', 'x')])
  expect(links(healed)).toEqual(['u1 < null', 'u3 < u1', 'u2 < u1'])
})

test('[DD71] the result of a response that failed is removed; a real one makes the response complete', async () => {
  const failed = { stopReason: 'aborted' }
  const dropped = await heal([
    user('u1', null),
    call('a1', 'u1', failed),
    result('r1', 'a1', 'a1', { isError: true }),
    user('u2', 'r1'),
  ])
  expect(links(dropped)).toEqual(['u1 < null', 'a1 < u1', 'u2 < a1'])
  const kept = await heal([user('u1', null), call('a1', 'u1', failed), result('r1', 'a1', 'a1'), user('u2', 'r1')])
  expect(links(kept)).toEqual(['u1 < null', 'a1 < u1', 'r1 < a1', 'u2 < r1'])
  expect((kept[1].message as Json).stopReason).toBe('toolUse')
})

test('[DD71] an entry that others name is not removed, and loses its message', async () => {
  const label = { type: 'label', id: 'l1', parentId: 'r1', timestamp, targetId: 'r1', label: 'here' }
  const healed = await heal([user('u1', null), result('r1', 'u1', 'x'), label, user('u2', 'l1')])
  expect(links(healed)).toEqual(['u1 < null', 'r1 < u1', 'l1 < r1', 'u2 < l1'])
  expect(healed[1]).toMatchObject({ type: 'custom' })
})

test('[DD71] what a compaction left out, and calls that were deferred at the end, stay as they are', async () => {
  const compaction = {
    type: 'compaction',
    id: 'c1',
    parentId: 'u2',
    timestamp,
    summary: 's',
    firstKeptEntryId: 'u2',
    tokensBefore: 1,
  }
  const lines = [
    user('u1', null),
    call('a1', 'u1'),
    user('u2', 'a1'),
    compaction,
    user('u3', 'c1'),
    call('a2', 'u3', { stopReason: 'deferred' }),
  ]
  expect(await heal(lines)).toEqual(lines)
})

const links = (lines: readonly Json[]): string[] => lines.map(({ id, parentId }) => `${id} < ${parentId}`)

/** The entries after a repair, without the header. */
function heal(entries: readonly Json[]): Promise<Json[]> {
  return inFolder(async folder => {
    const path = join(folder, '2026-08-12T10-15-00-000Z_s.jsonl')
    writeFileSync(path, [header, ...entries].map(line => `${JSON.stringify(line)}\n`).join(''))
    await all(examineStores([path], { systems: [pi], fix: true, backups: join(folder, '..', 'backups') }))
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    return lines.slice(1).map(line => JSON.parse(line))
  })
}

test.each([
  [process.ppid, 'busy'],
  [999_999_999, 'broken'],
])('[D662] oh-my-pi: a session with a lock of the process %d is %s', (pid, expected) =>
  inFolder(async folder => {
    let path = ''
    let found: string | undefined
    for (let seed = 1; found !== 'broken'; seed++) {
      path = await subject.corrupted(seed, folder)
      found = (await all(examineStores([path], { systems: [pi] }))).map(state)[0]
    }
    writeFileSync(join(dirname(path), `.${basename(path)}.lock`), `${pid}:1786529700000\n`)
    expect((await all(examineStores([path], { systems: [pi] }))).map(state)).toEqual([expected])
  }),
)
