import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { examineStores } from '../../src/doctor/doctor.ts'
import { claudeCode } from '../../src/doctor/systems/claude-code/index.ts'
import { antiphon } from '../apps/cli/program.ts'
import { all, inFolder } from '../doctor/contract.ts'

type Json = Record<string, unknown>

let seconds = 0
const record = (uuid: string, parentUuid: string | null, type: string, message: Json): Json => ({
  ...{ parentUuid, isSidechain: false, type, message, uuid, cwd: '/work' },
  timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++)).toISOString(),
})
const said = (uuid: string, parent: string | null, content: unknown): Json =>
  record(uuid, parent, 'user', { role: 'user', content })
const replied = (uuid: string, parent: string, block: Json): Json =>
  record(uuid, parent, 'assistant', { role: 'assistant', id: `m${uuid}`, content: [block] })
const call = { type: 'tool_use', id: 'c1', name: 'Bash', input: {} }

/** As Claude Code 2.1.328 writes it when the user goes back to before a message; `null` is before the first one. */
const rewind = (leafUuid: string | null): Json => ({
  ...{ type: 'last-prompt', lastPrompt: 'Look.', leafUuid, explicit: true, rewound: true },
})
const kept = [said('u1', null, 'Look.'), replied('a1', 'u1', { type: 'text', text: 'Fine.' })]
const taken = [...kept, said('u2', 'a1', 'Delete it.'), replied('a2', 'u2', call)]
const textOf = (records: readonly Json[]): string => records.map(one => `${JSON.stringify(one)}\n`).join('')

const orphan = said('u0', 'a1', [{ type: 'tool_result', tool_use_id: 'c0', content: 'ok' }])

test.each([
  ['went back', [...taken, rewind('a1')], ['Look.', 'Fine.']],
  ['went back to the beginning', [...taken, rewind(null)], []],
  [
    'went back, and a note followed',
    [...taken, rewind('a1'), { ...rewind('a1'), explicit: false }],
    ['Look.', 'Fine.'],
  ],
  ['went back and on', [...taken, rewind('a1'), said('u3', 'a1', 'Keep it.')], ['Look.', 'Fine.', 'Keep it.']],
])('[SE705] a session of Claude Code whose user %s has what the program sends', (_, records, texts) =>
  inFolder(async folder => {
    const path = join(folder, 's.jsonl')
    writeFileSync(path, textOf(records))
    expect(await all(examineStores([path], { systems: [claudeCode] }))).toMatchObject([
      { examination: { state: 'healthy' } },
    ])
    const { stdout } = await antiphon(['extract', path, '--json'])
    expect(JSON.parse(stdout).messages.map(({ content }: Json) => content)).toEqual(texts)
  }),
)

test('[SE705] what was taken back is not moved', () =>
  inFolder(async folder => {
    const path = join(folder, 's.jsonl')
    writeFileSync(path, textOf([...taken, rewind('a1')]))
    const out = join(folder, 'out')
    await antiphon(['move', path, '--to', 'codex', '-o', out])
    const moved = readdirSync(out, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
      .join('\n')
    expect(moved).toContain('Fine.')
    expect(moved).not.toContain('Delete it.')
  }))

test('[SE705] a repair leaves the record that the note names as the end', () =>
  inFolder(async folder => {
    const options = { systems: [claudeCode], fix: true, backups: join(folder, '..', 'backups') }
    const broken = [
      said('u1', null, 'Look.'),
      replied('a0', 'u1', call),
      replied('a1', 'a0', { type: 'text', text: 'Fine.' }),
    ]
    const records = [
      ...broken,
      said('u2', 'a1', 'Delete it.'),
      replied('a2', 'u2', { ...call, id: 'c2' }),
      rewind('a1'),
    ]
    const path = join(folder, 's.jsonl')
    writeFileSync(path, textOf(records))
    expect(await all(examineStores([path], options))).toMatchObject([{ examination: { state: 'broken' } }])
    const lines = readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line) as Json)
    expect(lines.at(-1)).toEqual(rewind('a1'))
    const chain: unknown[] = []
    for (let at = lines.find(({ uuid }) => uuid === 'a1'); at; at = lines.find(({ uuid }) => uuid === at?.parentUuid))
      chain.unshift(at.uuid)
    expect(chain).toEqual(['u1', 'a0', expect.any(String), 'a1'])
    expect(await all(examineStores([path], options))).toMatchObject([{ examination: { state: 'healthy' } }])

    const lost = textOf([...kept, orphan, said('u2', 'u0', 'Delete it.'), rewind('u0')])
    writeFileSync(path, lost)
    expect(await all(examineStores([path], options))).toMatchObject([{ examination: { state: 'broken', repairs: [] } }])
    expect(readFileSync(path, 'utf8')).toBe(lost)
  }))
