import { mkdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { qwenCode } from '../../../../src/doctor/systems/qwen-code/index.ts'
import { describeSamples, filesIn } from '../../chat/samples.ts'
import { all, bytesOf, describeSystem, inFolder, state } from '../../contract.ts'
import { subject } from './subject.ts'

describeSystem(subject)
describeSamples({ system: qwenCode, title: '[DD76] samples of Qwen Code', read: subject.read })

test.each([
  ['of a running process', { state: 'active', pid: process.ppid, hostname: hostname() }, 'busy'],
  ['that is sealed', { state: 'sealed', pid: 999_999_999, hostname: hostname() }, 'busy'],
  ['of a process that ended', { state: 'active', pid: 999_999_999, hostname: hostname() }, 'broken'],
])('[DD77] Qwen Code: a session with a lock %s', async (_, lease, expected) => {
  await inFolder(async folder => {
    const store = await brokenStore(folder)
    const id = filesIn(store, '.jsonl')[0].split('/').at(-1)?.replace('.jsonl', '')
    const lock = join(store, 'tmp', 'session-writer-locks', `${id}.lock`)
    mkdirSync(dirname(lock), { recursive: true })
    writeFileSync(lock, JSON.stringify({ schema_version: 2, session_id: id, ...lease }))
    const before = bytesOf(store)
    const options = { systems: [qwenCode], fix: true, backups: join(folder, '..', 'backups') }
    const found = await all(examineStores([join(store, 'projects')], options))
    expect(found.map(state)).toEqual([expected])
    if (expected === 'busy') expect(bytesOf(store)).toEqual(before)
    else expect(bytesOf(store)).not.toEqual(before)
  })
})

async function brokenStore(folder: string): Promise<string> {
  for (let seed = 1; ; seed++) {
    const store = await subject.corrupted(seed, folder)
    const found = await all(examineStores([store], { systems: [qwenCode] }))
    if (found.some(one => state(one) === 'broken')) return store
  }
}
