import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { strands } from '../../../../src/doctor/systems/strands/index.ts'
import { describeSamples, filesIn } from '../../chat/samples.ts'
import { all, bytesOf, describeSystem, inFolder, state } from '../../contract.ts'
import { readAgentMessages, subject, writeAgent } from './subject.ts'

describeSystem(subject)
describeSamples({ system: strands, title: '[D640] samples of Strands Agents', read: readAgentMessages })

const call = (id: string) => ({ toolUse: { toolUseId: id, name: 'bash', input: { size: 1 } } })
const result = (id: string, text = 'real') => ({
  toolResult: { toolUseId: id, status: 'success', content: [{ text }] },
})
const said = (role: string, ...content: object[]) => ({ role, content })
const text = (words: string) => ({ text: words })

test('[D641] Strands Agents: results go into the file of the next user message, and others keep their numbers', () =>
  inFolder(async folder => {
    const late = [
      said('user', text('a')),
      said('assistant', call('1')),
      said('user', text('b')),
      said('assistant', text('c')),
    ]
    writeAgent(folder, [...late, said('user', result('1'), text('d'))])
    const before = bytesOf(folder)
    await fix(folder)
    const changed = Object.entries(bytesOf(folder)).filter(([name, bytes]) => before[name] !== bytes)
    expect(changed.map(([name]) => name.slice(-14))).toEqual(['message_2.json', 'message_4.json'])
    expect(readAgentMessages(folder)[2]).toMatchObject({ texts: ['b'], results: [{ id: '1', text: 'real' }] })
  }))

test('[D641] Strands Agents: where a message must be added, later files get the next numbers until there is a gap', () =>
  inFolder(async folder => {
    writeAgent(folder, [said('user', text('a')), said('assistant', call('1')), said('assistant', text('b'))])
    await fix(folder)
    expect(readAgentMessages(folder).map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant'])
  }))

test('[D641] Strands Agents: messages that the manager removed stay, and are still left out', () =>
  inFolder(async folder => {
    const open = [said('user', text('a')), said('assistant', call('1'), call('2')), said('user', result('2'))]
    writeAgent(folder, open, { removed: 3 })
    const before = bytesOf(folder)
    await fix(folder)
    const after = bytesOf(folder)
    for (const [name, bytes] of Object.entries(before)) if (!name.includes('message_5')) expect(after[name]).toBe(bytes)
    expect(readAgentMessages(folder)[2].results.map(({ id }) => id)).toEqual(['1', '2'])
  }))

test('[D642] Strands Agents: the last calls of an interrupted agent stay open', () =>
  inFolder(async folder => {
    writeAgent(folder, [said('user', text('a')), said('assistant', call('1'))], { activated: true })
    const before = bytesOf(folder)
    expect((await fix(folder)).filter(one => one.kind === 'conversation').map(state)).toEqual(['pending'])
    expect(bytesOf(folder)).toEqual(before)
  }))

test('[D642] Strands Agents: a redacted message is judged as it is sent', () =>
  inFolder(async folder => {
    writeAgent(folder, [said('user', text('a')), said('assistant', call('1')), said('user', text('secret'))])
    const file = filesIn(folder, 'message_2.json')[0]
    const redacted = said('user', text('[redacted]'))
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('"redact_message": null', `"redact_message": ${JSON.stringify(redacted)}`),
    )
    await fix(folder)
    const { message, redact_message: sent } = JSON.parse(readFileSync(file, 'utf8'))
    expect(message.content).toEqual([text('secret')])
    expect(sent.content.map((block: object) => Object.keys(block)[0])).toEqual(['toolResult', 'text'])
  }))

test('[D643] Strands Agents: a message that cannot be read is removed, and a wrong number is corrected', () =>
  inFolder(async folder => {
    writeAgent(folder, [said('user', text('a')), said('assistant', text('b')), said('user', text('c'))])
    writeFileSync(filesIn(folder, 'message_1.json')[0], '{"message": {')
    const last = filesIn(folder, 'message_2.json')[0]
    writeFileSync(last, readFileSync(last, 'utf8').replace('"message_id": 2', '"message_id": 1'))
    const found = (await fix(folder)).flatMap(one => (one.kind === 'conversation' ? one.examination.repairs : []))
    expect(found.map(({ rule }) => rule)).toEqual(['unreadable-message', 'misnumbered-message', 'broken-alternation'])
    expect(readAgentMessages(folder).flatMap(({ texts }) => texts)).toEqual(['a', 'c'])
  }))

const fix = (store: string) =>
  all(examineStores([store], { systems: [strands], fix: true, backups: join(store, '..', 'backups') }))
