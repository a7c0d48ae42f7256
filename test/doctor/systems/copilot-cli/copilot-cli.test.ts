import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { copilotCli } from '../../../../src/doctor/systems/copilot-cli/index.ts'
import { message, user } from '../../chat/chat.ts'
import { describeSamples, filesIn } from '../../chat/samples.ts'
import { all, bytesOf, describeSystem, inFolder, state } from '../../contract.ts'
import { subject } from './subject.ts'

describeSystem(subject)
describeSamples({ system: copilotCli, title: '[DD78] samples of Copilot CLI', read: subject.read })

const calls = [{ id: 'call_1', name: 'bash', input: {} }]
const open = [user('Run it.'), message('assistant', { calls })]

test('[DD79] Copilot CLI: calls that wait for a permission stay open', () =>
  inFolder(async folder => {
    const store = subject.store(folder, open, { type: 'permission.requested', data: { requestId: 'r1' } })
    const before = bytesOf(store)
    expect((await fix(store)).map(state)).toEqual(['pending'])
    expect(bytesOf(store)).toEqual(before)
  }))

test.each([
  [process.ppid, 'busy'],
  [999_999_999, 'broken'],
])('[DD79] Copilot CLI: a session with the lock inuse.%d.lock is %s', (pid, expected) =>
  inFolder(async folder => {
    const store = subject.store(folder, open)
    writeFileSync(join(dirname(filesIn(store, '.jsonl')[0]), `inuse.${pid}.lock`), '')
    const found = (await fix(store)).filter(({ kind }) => kind === 'conversation')
    expect(found.map(state)).toEqual([expected])
  }),
)

const fix = (store: string) =>
  all(examineStores([store], { systems: [copilotCli], fix: true, backups: join(store, '..', 'backups') }))
