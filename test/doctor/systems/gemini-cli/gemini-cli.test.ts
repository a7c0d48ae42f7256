import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { geminiCli } from '../../../../src/doctor/systems/gemini-cli/index.ts'
import { timeOf } from '../../chat/line-subject.ts'
import { describeSamples } from '../../chat/samples.ts'
import { all, describeSystem, inFolder, state } from '../../contract.ts'
import { header, subject } from './subject.ts'

describeSystem(subject)
describeSamples({ system: geminiCli, title: '[D600] samples of Gemini CLI', read: subject.read })

const call = (id: string): object => ({ functionCall: { id, name: 'bash', args: { command: 'ls' } } })
const answer = (id: string, output: string): object => ({
  functionResponse: { id, name: 'bash', response: { output } },
})
const user = (id: string, ...content: object[]) => ({ id, timestamp: timeOf(1), type: 'user', content })
const model = (id: string, content: unknown, more = {}) => ({
  id,
  timestamp: timeOf(2),
  type: 'gemini',
  content,
  ...more,
})
const lines = (...records: object[]): string => records.map(record => `${JSON.stringify(record)}\n`).join('')

const fix = (store: string) =>
  all(examineStores([store], { systems: [geminiCli], fix: true, backups: join(store, '..', 'backups') }))

function written(folder: string, text: string, name = 'session-2026-08-12T10-15-0ad836ec.jsonl'): string {
  const chats = join(folder, 'tmp', 'shop', 'chats')
  mkdirSync(chats, { recursive: true })
  writeFileSync(join(chats, name), text)
  return join(chats, name)
}

test('[D601] Gemini CLI: a repair appends one line, and everything above it stays', () =>
  inFolder(async folder => {
    const before = lines(
      header,
      { $set: { messages: [user('u1', { text: 'Go' }), model('g1', [call('a'), call('b')])] } },
      user('r1', answer('a', 'one'), answer('lost', 'stray')),
      { id: 'i1', type: 'info', content: 'a note' },
      user('u2', { text: 'Next' }),
    )
    const path = written(folder, before)
    await fix(folder)
    const after = readFileSync(path, 'utf8')
    expect(after.startsWith(before)).toBe(true)
    const added = JSON.parse(after.slice(before.length))
    expect(added.$set.messages.map(({ id }: { id: string }) => id)).toEqual(['u1', 'g1', 'r1', 'i1', 'u2'])
    expect(added.$set.lastUpdated).toBe(header.lastUpdated)
    expect(added.$set.messages[2].content[1]).toMatchObject({
      functionResponse: { id: 'b', name: 'bash', response: { error: expect.any(String) } },
    })
  }))

test('[D601] Gemini CLI: a torn end is closed, so that the next record is read, and a record after one is read again', () =>
  inFolder(async folder => {
    const start = lines(header, user('u1', { text: 'Go' }))
    const path = written(folder, `${start}{"id":"g1","type":"gem`)
    await fix(folder)
    expect(readFileSync(path, 'utf8')).toBe(`${start}{"id":"g1","type":"gem\n`)
    writeFileSync(path, `${start}{"id":"g1","type":"gem${lines(model('g2', 'Hello'), user('u2', { text: 'Thanks' }))}`)
    await fix(folder)
    expect(subject.read(folder).flatMap(({ texts }) => texts)).toEqual(['Go', 'Hello', 'Thanks'])
    expect((await fix(folder)).map(state)).toEqual(['healthy'])
  }))

test('[D602] Gemini CLI: a result that is only in toolCalls counts, one without an outcome is answered', () =>
  inFolder(async folder => {
    const asked = (id: string, more: object): object => ({ id, name: 'bash', args: {}, status: 'success', ...more })
    const whole = model('g1', 'I look.', {
      toolCalls: [asked('a', { result: 'as text' }), asked('b', { result: [answer('b', 'two')] })],
    })
    const path = written(folder, lines(header, user('u1', { text: 'Go' }), whole, model('g2', 'Done')))
    const before = readFileSync(path)
    expect((await fix(folder)).map(state)).toEqual(['healthy'])
    expect(readFileSync(path)).toEqual(before)
    const cut = model('g3', '', { toolCalls: [asked('c', { status: 'cancelled' })] })
    writeFileSync(path, Buffer.concat([before, Buffer.from(lines(user('u2', { text: 'Again' }), cut))]))
    await fix(folder)
    const results = subject.read(folder).flatMap(one => one.results)
    expect(results.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(results.map(({ text }) => text).slice(0, 2)).toEqual(['as text', 'two'])
  }))

test('[D603] Gemini CLI: a session that is one document is repaired in its list', () =>
  inFolder(async folder => {
    const messages = [user('u1', { text: 'Go' }), model('g1', [call('a')]), user('u2', { text: 'Next' })]
    const path = written(
      folder,
      JSON.stringify({ ...header, messages }, null, 2),
      'session-2025-08-12T10-15-0ad836ec.json',
    )
    await fix(folder)
    const healed = JSON.parse(readFileSync(path, 'utf8'))
    expect(healed).toMatchObject(header)
    expect(healed.messages.map(({ type }: { type: string }) => type)).toEqual(['user', 'gemini', 'user', 'user'])
    expect(healed.messages[2].content[0].functionResponse).toMatchObject({ id: 'a', name: 'bash' })
    expect((await fix(folder)).map(state)).toEqual(['healthy'])
  }))

test('[D604] Gemini CLI: what was rewound is not sent and not repaired', () =>
  inFolder(async folder => {
    const rest = [user('u2', { text: 'Next' }), model('g1', [call('a')]), { $rewindTo: 'u2' }]
    const path = written(folder, lines(header, user('u1', { text: 'Go' }), ...rest))
    const before = readFileSync(path)
    expect((await fix(folder)).map(state)).toEqual(['healthy'])
    expect(readFileSync(path)).toEqual(before)
  }))

test('[D605] Gemini CLI: a drawing shows whole texts and the arguments of calls', () =>
  inFolder(async folder => {
    const long = 'word '.repeat(500)
    const listed = model('g2', '', { toolCalls: [{ id: 'b', name: 'bash', args: { n: 2 }, result: 'two' }] })
    written(
      folder,
      lines(header, user('u1', { text: long }), model('g1', [call('a')]), user('r1', answer('a', 'one')), listed),
    )
    const [found] = await all(examineStores([folder], { systems: [geminiCli] }))
    const drawn = found.kind === 'conversation' ? found.examination.draw?.() : undefined
    const parts = drawn?.messages.flatMap(one => one.parts) ?? []
    expect(parts.flatMap(part => (part.kind === 'text' ? [part.text] : []))).toContain(long)
    expect(parts.flatMap(part => (part.kind === 'call' ? [part.input] : []))).toEqual([{ command: 'ls' }, { n: 2 }])
  }))
