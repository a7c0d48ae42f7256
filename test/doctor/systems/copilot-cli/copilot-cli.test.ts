import { readFileSync, writeFileSync } from 'node:fs'
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

test('[SE660] Copilot CLI: the output of a command that the user ran is no result, and stays', () =>
  inFolder(async folder => {
    const ran = { toolCallId: 'by_user', isUserRequested: true, success: true, result: { content: 'a.txt' } }
    const last = { type: 'tool.execution_complete', data: ran }
    const healthy = subject.store(
      join(folder, 'healthy'),
      [user('Hello'), message('assistant', { texts: ['Hi'] })],
      last,
    )
    const before = bytesOf(healthy)
    const [found] = await fix(healthy)
    expect(state(found)).toBe('healthy')
    expect(bytesOf(healthy)).toEqual(before)
    const drawing = found.kind === 'conversation' ? found.examination.draw?.() : undefined
    expect(JSON.stringify(drawing)).toContain('a.txt')

    const broken = subject.store(join(folder, 'broken'), open, last)
    expect((await fix(broken)).map(state)).toEqual(['broken'])
    expect(readFileSync(filesIn(broken, '.jsonl')[0], 'utf8')).toContain(JSON.stringify(last.data))
    expect((await fix(broken)).map(state)).toEqual(['healthy'])
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

test.each([
  ['answered', message('tool', { results: [{ id: 'call_1', text: 'done' }] }), '\n'],
  ['answered, with Windows line breaks', message('tool', { results: [{ id: 'call_1', text: 'done' }] }), '\r\n'],
  ['not answered, so that it is also repaired', user('Go on.'), '\n'],
])(
  '[D661] Copilot CLI: an event that raw line breaks have split is joined again: its call is %s',
  (_, last, lineBreak) =>
    inFolder(async folder => {
      const asked = message('assistant', { texts: ['One{nl}{nl}  two } {nl}three'], calls })
      const store = subject.store(folder, [user('Run{nl}it.'), asked, last])
      const [file] = filesIn(store, '.jsonl')
      const written = readFileSync(file, 'utf8').replaceAll('\n', lineBreak)
      writeFileSync(file, written.replaceAll('{nl}', lineBreak))
      const found = (await fix(store)).filter(one => one.kind === 'conversation')
      expect(found.flatMap(({ examination }) => examination.dropped)).toEqual([])
      const rules = found.flatMap(({ examination }) => examination.repairs.map(({ rule }) => rule))
      expect(rules.filter(rule => rule === 'split-record')).toHaveLength(2)
      const texts = subject.read(store).flatMap(one => one.texts)
      expect(texts.slice(0, 2)).toEqual(['Run{nl}it.', asked.texts[0]].map(text => text?.replaceAll('{nl}', lineBreak)))
      expect((await fix(store)).filter(({ kind }) => kind === 'conversation').map(state)).toEqual(['healthy'])
    }),
)

test('[D661] Copilot CLI: lines that are no record together are torn, and what follows them stays', () =>
  inFolder(async folder => {
    const store = subject.store(folder, [user('Run it.'), message('assistant', { texts: ['Yes.'] })])
    const [file] = filesIn(store, '.jsonl')
    const [start, ...rest] = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, [start, '{"type":"user.mess', 'a"}', '{"type":"abort"', ...rest].join('\n'))
    const found = (await fix(store)).filter(one => one.kind === 'conversation')
    const rules = found.flatMap(({ examination }) => examination.repairs.map(({ rule }) => rule))
    expect(rules).toEqual(['torn-record', 'torn-record', 'torn-record'])
    expect(subject.read(store).flatMap(({ texts }) => texts)).toEqual(['Run it.', 'Yes.'])
  }))
