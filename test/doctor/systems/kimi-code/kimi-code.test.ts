import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { kimiCode } from '../../../../src/doctor/systems/kimi-code/index.ts'
import { message, user } from '../../chat/chat.ts'
import { describeSamples, filesIn } from '../../chat/samples.ts'
import { all, bytesOf, describeSystem, inFolder, state } from '../../contract.ts'
import { subject } from './subject.ts'

describeSystem(subject)
describeSamples({ system: kimiCode, title: '[DD82] samples of Kimi Code', read: subject.read })

test('[DD83] Kimi Code: a step whose beginning was lost is begun again', () =>
  inFolder(async folder => {
    const store = subject.store(folder, [user('Hello'), message('assistant', { texts: ['Hi'] })])
    const [path] = filesIn(store, '.jsonl')
    const lines = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, lines.filter(line => !line.includes('step.begin')).join('\n'))
    await all(examineStores([store], { systems: [kimiCode], fix: true, backups: join(folder, '..', 'backups') }))
    expect(subject.read(store)).toEqual([user('Hello'), message('assistant', { texts: ['Hi'] })])
  }))

const fix = (store: string) =>
  all(examineStores([store], { systems: [kimiCode], fix: true, backups: join(store, '..', 'backups') }))

const calls = [
  { id: 'call_1', name: 'Bash', input: {} },
  { id: 'call_2', name: 'Bash', input: {} },
]
const answered = calls.map(({ id }) => message('tool', { results: [{ id, text: `done ${id}` }] }))

test.each([
  ['between calls and their results', [user('Stop that.'), ...answered]],
  ['between the results', [answered[0], user('Stop that.'), answered[1]]],
])('[SE662] Kimi Code: a message %s is held by the program, so it is no defect', (_, messages) =>
  inFolder(async folder => {
    const asked = message('assistant', { calls })
    const store = subject.store(folder, [
      user('Run it.'),
      asked,
      ...messages,
      message('assistant', { texts: ['Yes.'] }),
    ])
    const before = bytesOf(store)
    const [found] = await fix(store)
    expect(state(found)).toBe('healthy')
    expect(bytesOf(store)).toEqual(before)
    const drawing = JSON.stringify(found.kind === 'conversation' ? found.examination.draw?.() : undefined)
    expect(drawing.indexOf('done call_2')).toBeLessThan(drawing.indexOf('Stop that.'))
  }),
)

test('[SE662] Kimi Code: a held message stays, and is after the results, where one of them is made up', () =>
  inFolder(async folder => {
    const chat = [user('Run it.'), message('assistant', { calls }), answered[0], user('Stop that.')]
    const store = subject.store(folder, [...chat, message('assistant', { texts: ['Yes.'] })])
    expect((await fix(store)).map(state)).toEqual(['broken'])
    expect(subject.read(store).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'user',
      'assistant',
    ])
    expect((await fix(store)).map(state)).toEqual(['healthy'])
  }))
