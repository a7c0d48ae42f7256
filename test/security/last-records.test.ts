import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../src/doctor/doctor.ts'
import { claudeCode } from '../../src/doctor/systems/claude-code/index.ts'
import { all, inFolder } from '../doctor/contract.ts'

type Json = Record<string, unknown>

const record = (uuid: string, parentUuid: string | null, type: string, message: Json): Json => ({
  ...{ parentUuid, isSidechain: false, type, message, uuid },
  timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, Number.parseInt(uuid, 36))).toISOString(),
})
const said = (uuid: string, parent: string | null, content: unknown): Json =>
  record(uuid, parent, 'user', { role: 'user', content })
const answered = (uuid: string, parent: string, call: string): Json =>
  said(uuid, parent, [{ type: 'tool_result', tool_use_id: call, content: 'ok' }])
const replied = (uuid: string, parent: string, id: string, block: Json): Json =>
  record(uuid, parent, 'assistant', { role: 'assistant', id, content: [block] })
const called = (uuid: string, parent: string, id: string, call: string): Json =>
  replied(uuid, parent, id, { type: 'tool_use', id: call, name: 'Bash', input: {} })

/** Results of parallel calls are attached next to the chain, so the file has several leaves. */
const parallel = [
  said('1', null, 'Look.'),
  called('2', '1', 'm1', 'c1'),
  called('3', '2', 'm1', 'c2'),
  answered('4', '2', 'c1'),
  answered('5', '3', 'c2'),
]
const open = [...parallel, replied('6', '5', 'm2', { type: 'text', text: 'Done.' }), said('7', '6', 'Now run it.')]
const asked = [...open, called('8', '7', 'm3', 'c3'), said('9', '8', 'Is it slow?')]
const note = { type: 'last-prompt', lastPrompt: 'Is it slow?', leafUuid: 'b' }

/** Claude Code 2.1.110 and 2.1.328 continue at the last record of a file, or after the one that their last note names. */
function chainOf(text: string): string[] {
  const records = text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Json)
    .filter(({ uuid }) => uuid !== undefined)
  const chain: string[] = []
  for (let at = records.at(-1); at; at = records.find(({ uuid }) => uuid === at?.parentUuid))
    chain.unshift(String(at.uuid))
  return chain
}

test.each([
  ['after a question of the user', [...asked, answered('b', '9', 'c3'), note], ['8', 'b', '9']],
  [
    'after an answer',
    [...asked, replied('a', '9', 'm4', { type: 'text', text: 'Yes.' }), answered('b', 'a', 'c3')],
    ['8', 'b', '9', 'a'],
  ],
  [
    'long after its call',
    [
      ...asked,
      replied('a', '9', 'm4', { type: 'text', text: 'Yes.' }),
      said('c', 'a', 'Wait.'),
      replied('d', 'c', 'm5', { type: 'text', text: 'I wait.' }),
      answered('e', 'd', 'c3'),
    ],
    ['8', 'e', '9', 'a', 'c', 'd'],
  ],
])('[SE670] a late result that is the last record of a session of Claude Code, %s, hides nothing', (_, records, end) =>
  inFolder(async folder => {
    const path = join(folder, 's.jsonl')
    writeFileSync(path, records.map(one => `${JSON.stringify(one)}\n`).join(''))
    const options = { systems: [claudeCode], fix: true, backups: join(folder, '..', 'backups') }
    await all(examineStores([path], options))
    const text = readFileSync(path, 'utf8')
    expect(chainOf(text).slice(-end.length)).toEqual(end)
    const again = await all(examineStores([path], options))
    expect(again).toMatchObject([{ examination: { state: 'healthy' } }])
    expect(readFileSync(path, 'utf8')).toBe(text)
  }),
)
