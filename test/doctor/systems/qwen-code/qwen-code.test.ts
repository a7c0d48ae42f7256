import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { qwenCode } from '../../../../src/doctor/systems/qwen-code/index.ts'
import { message, user } from '../../chat/chat.ts'
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

test('[D664] Qwen Code: a sealed lock says what to do, and not to close a program', () =>
  inFolder(async folder => {
    const store = await brokenStore(folder)
    const id = filesIn(store, '.jsonl')[0].split('/').at(-1)?.replace('.jsonl', '')
    const lock = join(store, 'tmp', 'session-writer-locks', `${id}.lock`)
    mkdirSync(dirname(lock), { recursive: true })
    writeFileSync(lock, JSON.stringify({ schema_version: 2, session_id: id, state: 'sealed' }))
    const [found] = await all(examineStores([join(store, 'projects')], { systems: [qwenCode] }))
    const notes = found?.kind === 'conversation' ? found.examination.notes.join('\n') : ''
    expect(notes).toContain(`delete ${id}.lock in tmp/session-writer-locks and try again`)
    expect(notes).not.toContain('close it')
  }))

const said = (role: string, ...parts: object[]): object => ({ role, parts })
const call = (id: string): object => ({ functionCall: { id, name: 'bash', args: { n: 1 } } })
const response = (id: string): object => ({ functionResponse: { id, name: 'bash', response: { output: 'done' } } })

test.each<[string, object[], string]>([
  ['all answered', [said('model', call('c1')), said('user', response('c1'))], 'healthy'],
  ['one without a result', [said('model', call('c1'), call('c2')), said('user', response('c1'))], 'broken'],
  ['the last of which the next record answers', [said('model', call('c1'))], 'healthy'],
])('[D665] Qwen Code: calls in a compressed history, %s', (name, more, expected) =>
  inFolder(async folder => {
    const end = name.startsWith('the last') ? [] : [said('model', { text: 'Done.' })]
    const compressedHistory = [said('user', { text: 'The summary.' }), ...more, ...end]
    const system = { type: 'system', subtype: 'chat_compression', message: undefined, uuid: 'sum' }
    const last = { ...system, systemPayload: { info: { n: 1 }, compressedHistory } }
    const store = subject.store(folder, [user('Run it.'), message('assistant', { texts: ['Yes.'] })], last)
    const [file] = filesIn(store, '.jsonl')
    const records = readFileSync(file, 'utf8').trimEnd().split('\n')
    const { message: _, ...before } = JSON.parse(records.at(-2) ?? '')
    const parts = name.startsWith('the last') ? [response('c1')] : [{ text: 'Go on.' }]
    const type = name.startsWith('the last') ? 'tool_result' : 'user'
    const next = { ...before, uuid: 'next', parentUuid: 'sum', type, message: said('user', ...parts) }
    const linked = { ...JSON.parse(records.at(-1) ?? ''), uuid: 'sum', parentUuid: before.uuid }
    writeFileSync(file, [...records.slice(0, -1), JSON.stringify(linked), JSON.stringify(next), ''].join('\n'))
    const bytes = bytesOf(store)
    const options = { systems: [qwenCode], fix: true, backups: join(folder, '..', 'backups') }
    const found = (await all(examineStores([store], options))).filter(({ kind }) => kind === 'conversation')
    expect(found.map(state)).toEqual([expected])
    if (expected === 'healthy') return expect(bytesOf(store)).toEqual(bytes)
    const written = JSON.parse(readFileSync(file, 'utf8').split('\n')[records.length - 1] ?? '')
    const { compressedHistory: healed } = written.systemPayload
    expect(healed[0]).toEqual(compressedHistory[0])
    const ids = healed[2].parts.map((part: { functionResponse: { id: string } }) => part.functionResponse.id)
    expect(ids).toEqual(['c1', 'c2'])
    expect((await all(examineStores([store], options))).map(state)).toEqual(['healthy'])
  }),
)

test('[SE664] Qwen Code: turns that were taken back do not come back because the parent of the rewind is lost', () =>
  inFolder(async folder => {
    const store = subject.store(folder, [user('Lost.'), user('Taken back.'), user('Kept.')])
    const [path] = filesIn(store, '.jsonl')
    const [lost, back, kept] = readFileSync(path, 'utf8')
      .split('\n')
      .flatMap(line => (line.includes('"parts"') ? [JSON.parse(line)] : []))
    const rewind = { ...back, uuid: 'rewind', type: 'system', subtype: 'rewind', message: undefined, systemPayload: {} }
    const lines = [back, rewind, { ...kept, parentUuid: 'rewind' }].map(record => JSON.stringify(record))
    writeFileSync(path, `${lines.join('\n')}\n`)
    expect(back.parentUuid).toBe(lost.uuid)
    const before = bytesOf(store)
    const [found] = await all(
      examineStores([store], { systems: [qwenCode], fix: true, backups: join(folder, '..', 'b') }),
    )
    expect(state(found)).toBe('healthy')
    expect(bytesOf(store)).toEqual(before)
  }))
