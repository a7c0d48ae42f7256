import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { cline } from '../../../../src/doctor/systems/cline/index.ts'
import { describeSamples, filesIn } from '../../chat/samples.ts'
import { all, bytesOf, describeSystem, inFolder, state } from '../../contract.ts'
import { readTask, subject, written } from './subject.ts'

describeSystem(subject)
describeSamples({ system: cline, title: '[DD84] samples of Cline', read: readTask })

const call = (id: string, name: string): object => ({ type: 'tool_use', id, name, input: {} })
const said = (role: string, ...content: object[]) => ({ role, content, ts: 1 })
const text = (words: string): object => ({ type: 'text', text: words })
const asText = [
  said('user', text('Read it.')),
  said('assistant', call('toolu_1', 'read_file')),
  said('user', text("[read_file for 'a.ts'] Result:\nthe file")),
  said('assistant', call('toolu_2', 'attempt_completion')),
]

test('[DD85] Cline: results that are written as text, and the call that ends a task, are not defects', () =>
  inFolder(async folder => {
    const store = written(folder, asText)
    const before = bytesOf(store)
    const found = await fix(store)
    expect(found.flatMap(one => (one.kind === 'conversation' ? one.examination.repairs : []))).toEqual([])
    expect(bytesOf(store)).toEqual(before)
  }))

test('[DD85] Cline: where something else is broken, a result that is written as text becomes a result', () =>
  inFolder(async folder => {
    const open = [said('assistant', call('toolu_0', 'bash')), said('user', text('Go on.'))]
    const store = written(folder, [asText[0], ...open, ...asText.slice(1, 3), said('assistant', text('Done.'))])
    await fix(store)
    const results = readTask(store).flatMap(one => one.results)
    expect(results.map(({ id }) => id)).toEqual(['toolu_0', 'toolu_1'])
    expect(results[1].text).toContain('the file')
  }))

const fix = (store: string) =>
  all(examineStores([store], { systems: [cline], fix: true, backups: join(store, '..', 'backups') }))

test('[D664] Cline: a lock folder says what to do, and not to close a program', () =>
  inFolder(async folder => {
    let found: Awaited<ReturnType<typeof look>> = []
    for (let seed = 1; !found.some(one => state(one) === 'broken'); seed++)
      found = await look(await subject.corrupted(seed, folder))
    const [file] = filesIn(folder, 'history.json')
    mkdirSync(`${file}.lock`)
    const [one] = await look(file)
    const notes = one?.kind === 'conversation' ? one.examination.notes.join('\n') : ''
    expect(notes).toContain('if no editor is running, remove the folder')
    expect(notes).not.toContain('close it')
  }))

const look = (path: string) => all(examineStores([path], { systems: [cline] }))

test('[SE613] Cline: a missing result gets into the next user message, so that no two of them follow each other', () =>
  inFolder(async folder => {
    const asked = said('assistant', call('toolu_1', 'read_file'), call('toolu_2', 'read_file'))
    const late = { type: 'tool_result', tool_use_id: 'toolu_3', content: 'the file' }
    const store = written(folder, [
      said('user', text('Read it.')),
      asked,
      { role: 'user', content: 'Go on.', ts: 2 },
      said('assistant', call('toolu_3', 'read_file')),
      said('user', text('And?')),
      said('assistant', text('Wait.')),
      said('user', late),
    ])
    await fix(store)
    const after = readTask(store)
    expect(after.map(({ role }) => role).join(' ')).toBe('user assistant user assistant user assistant')
    expect(after[2]).toMatchObject({ texts: ['Go on.'], results: [{ id: 'toolu_1' }, { id: 'toolu_2' }] })
    expect(after[4]).toMatchObject({ texts: ['And?'], results: [{ id: 'toolu_3', text: 'the file' }] })
    expect((await look(store)).map(state)).toEqual(['healthy'])
  }))
