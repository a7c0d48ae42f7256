import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { examineStores } from '../../../../src/doctor/doctor.ts'
import { peekAt } from '../../../../src/doctor/peek.ts'
import type { Examination } from '../../../../src/doctor/system.ts'
import { claudeCode } from '../../../../src/doctor/systems/claude-code/index.ts'
import { all, bytesOf, describeSystem, healSample, inFolder } from '../../contract.ts'
import { leafOf } from './request.ts'
import { idsIn, resumedBy201 } from './resume.ts'
import { refusalsOf, subject } from './subject.ts'

const samples = join(import.meta.dirname, 'samples')

describeSystem(subject)

describe('samples of Claude Code', () => {
  test('[DC7] broken sessions are reported, and repaired like the repaired samples', async () => {
    await healSample(claudeCode, join(samples, 'broken'), (path, visits) => {
      const found = visits.map(({ id, examination }) => [id, examination.repairs.map(({ rule }) => rule)])
      expect(Object.fromEntries(found)).toEqual({
        '2f298103-0598-5fbd-977d-277e2391d469': ['broken-link', 'orphan-result'],
        '85bb38af-26ca-5bea-afe0-058193ec6305': ['torn-record', 'broken-link', 'unanswered-call'],
        'a2fb4d82-7a9d-537f-9485-262896252daf': ['misplaced-result'],
      })
      expect(bytesOf(path)).toEqual(bytesOf(join(samples, 'healed')))
      expect(refusalsOf(path)).toEqual([])
    })
    expect(refusalsOf(join(samples, 'broken'))).toHaveLength(3)
  })

  test('[DC7] healthy sessions with branches, a compaction and an agent stay as they are', async () => {
    await healSample(claudeCode, join(samples, 'healthy'), (path, visits) => {
      expect(visits.map(({ examination }) => examination.state)).toEqual(['healthy', 'healthy'])
      expect(visits.map(({ examination }) => examination.counts.calls)).toEqual([1, 1])
      expect(bytesOf(path)).toEqual(bytesOf(join(samples, 'healthy')))
    })
  })
})

describe('versions that go on at the newest record', () => {
  test('[DC19] a session of 2.0.1 that was killed in two calls keeps both: made-up results have times and uuids of their own', async () => {
    const text = readFileSync(join(import.meta.dirname, 'killed-2.0.1.jsonl'), 'utf8')
    const healed = await healedText(text)
    const made = healed
      .split('\n')
      .filter(line => line !== '' && !text.includes(line))
      .map(line => JSON.parse(line))
    expect(made).toHaveLength(2)
    for (const key of ['uuid', 'timestamp']) expect(new Set(made.map(record => record[key])).size).toBe(2)
    const { calls, results } = idsIn(resumedBy201(healed))
    expect(calls).toHaveLength(5)
    expect(results.sort()).toEqual(calls.sort())
  })

  test('[DC19] after any repair, 2.0.1 continues where newer versions do', async () => {
    let changed = 0
    for (let seed = 9_000; seed < 9_040; seed++) {
      await inFolder(async folder => {
        const path = subject.corrupted(seed, folder) as string
        const before = bytesOf(path)
        await all(examineStores([path], { systems: [claudeCode], fix: true, backups: join(folder, '..', 'backups') }))
        for (const [file, text] of Object.entries(bytesOf(path))) {
          if (text === before[file] || file.includes('agent-')) continue
          changed++
          const chain = resumedBy201(Buffer.from(text, 'latin1').toString())
          const last = chain.findLast(({ type }) => type === 'user' || type === 'assistant')
          expect({ seed, file, last: last?.uuid }).toEqual({ seed, file, last: leafOf(Buffer.from(text, 'latin1')) })
        }
      })
    }
    expect(changed).toBeGreaterThan(20)
  })

  test('[DC19] several placeholders before text of the same millisecond do not become the newest', async () => {
    const calls = [called('a1', 'u1', 'm1', 't1'), called('a2', 'a1', 'm1', 't2')]
    const lines = [said('u1', null, 'Look.'), ...calls, said('u2', 'a2', 'Go on.')]
    const times = ['00:00.000', '00:01.000', '00:02.000', '00:02.001'].map(time => `2026-01-01T00:${time}Z`)
    const { lines: after } = await healed(lines.map((line, index) => ({ ...line, timestamp: times[index] })))
    expect(after).toHaveLength(6)
    expect(
      resumedBy201(after.map(line => JSON.stringify(line)).join('\n'))
        .map(({ uuid }) => uuid)
        .at(-1),
    ).toBe('u2')
  })
})

describe('where a session is broken', () => {
  test('[DD35] a torn last line is in the turn that it ends, and a byte order mark is called one', async () => {
    const lines = ['u1', 'u2', 'u3'].map((uuid, index, all) => said(uuid, all[index - 1] ?? null, 'Look.'))
    const text = lines.map(line => JSON.stringify(line)).join('\n')
    const torn = await examined(`${text}\n${JSON.stringify(lines[0]).slice(0, 40)}`)
    expect(torn).toMatchObject({ since: { turn: 3, at: 'line 4' }, repairs: [{ rule: 'torn-record' }] })
    const marked = await examined(`\uFEFF${text}\n`)
    expect(marked).toMatchObject({
      since: { turn: 1, at: 'line 1' },
      dropped: [],
      repairs: [{ rule: 'byte-order-mark' }],
    })
    expect(await healedText(`\uFEFF${text}\n`)).toBe(`${text}\n`)
  })

  test('[DD35] a quoted error names no place in a request, since a record is not a message of it', async () => {
    const { repairs } = await examined(`${JSON.stringify(called('a1', null, 'm1', 't1'))}\n`)
    const { refusal } = repairs.find(({ rule }) => rule === 'unanswered-call') ?? {}
    expect(refusal).toMatch(/^`tool_use` ids were found without `tool_result` blocks immediately after: t1/)
  })
})

describe('the tree of a session', () => {
  test('[DC8] results of parallel calls that are attached next to the chain are not a defect; one without its call is removed alone', async () => {
    const lines = [
      said('u1', null, 'Look.'),
      called('a1', 'u1', 'm1', 't1'),
      called('a2', 'a1', 'm1', 't2'),
      answered('r1', 'a1', 't1'),
      answered('r2', 'a2', 't2'),
      said('u2', 'r2', 'Thanks.'),
    ]
    expect(await healed(lines)).toMatchObject({ state: 'healthy', lines })
    const stray = lines.toSpliced(4, 0, { ...answered('r9', 'a1', 't9'), timestamp: lines[3].timestamp })
    expect(await healed(stray)).toMatchObject({ state: 'broken', lines })
  })

  test('[DC8] of several results on one line only the one without a call is removed', async () => {
    const both = record('user', 'r1', 'a1', { role: 'user', content: [result('t9'), result('t1'), words] })
    const { lines, state } = await healed([said('u1', null, 'Look.'), called('a1', 'u1', 'm1', 't1'), both])
    expect(state).toBe('broken')
    expect(lines[2]).toEqual({ ...both, message: { role: 'user', content: [result('t1'), words] } })
  })

  test('[DC9] a result that no link leads to is used, rather than a placeholder', async () => {
    const { lines, repairs } = await healed([
      said('u1', null, 'Look.'),
      called('a1', 'u1', 'm1', 't1'),
      said('u2', 'a1', 'Are you there?'),
      said('x1', 'gone', 'from elsewhere'),
      answered('r1', 'x1', 't1'),
      { ...said('u3', 'u2', 'Well?'), timestamp: '2026-01-02T00:00:00.000Z' },
    ])
    expect(repairs).toEqual(['misplaced-result'])
    expect(links(lines)).toMatchObject({ r1: 'a1', u2: 'r1', u3: 'u2' })
  })

  test('[DC17] a call that was written again under a new uuid, with its result, gets a new id', async () => {
    const { state, lines } = await healed([
      said('u1', null, 'Look.'),
      called('a1', 'u1', 'm1', 't1'),
      answered('r1', 'a1', 't1'),
      called('a2', 'r1', 'm1', 't1'),
      answered('r2', 'a2', 't1'),
      said('u2', 'r2', 'Thanks.'),
    ])
    expect(state).toBe('broken')
    const ids = lines.flatMap(line => JSON.stringify(line).match(/"(?:id|tool_use_id)":"(?:t1|call_\w+)"/g) ?? [])
    const [first, second] = [ids.slice(0, 2), ids.slice(2)].map(pair => pair.map(id => id.split('"')[3]))
    expect(first).toEqual(['t1', 't1'])
    expect(new Set(second).size).toBe(1)
    expect(second).not.toContain('t1')
  })

  test('[DC18] a session that begins with lines of an agent is judged by its own ones', async () => {
    const agent = { ...said('s1', null, 'Warm up.'), isSidechain: true }
    const own = [said('u1', null, 'Look.'), called('a1', 'u1', 'm1', 't1'), said('u2', 'a1', 'Well?')]
    const { repairs, lines } = await healed([agent, ...own])
    expect(repairs).toEqual(['unanswered-call'])
    expect(lines[0]).toEqual(agent)
  })

  test('[DC10] abandoned branches are not touched, with any content', async () => {
    const lines = [
      said('u1', null, 'Look.'),
      called('a1', 'u1', 'm1', 't1'),
      answered('dead', 'nowhere', 't7'),
      said('u2', 'u1', 'Look again.'),
    ]
    expect(await healed(lines)).toMatchObject({ state: 'healthy', lines })
  })

  test('[DC11] a dangling link is repaired, so that the messages before it are sent again', async () => {
    const { lines } = await healed([said('u1', null, 'One.'), said('u2', 'lost', 'Two.'), said('u3', 'u2', 'Three.')])
    expect(links(lines)).toEqual({ u1: null, u2: 'u1', u3: 'u2' })
  })

  test('[DC11] so is a circle', async () => {
    const { lines } = await healed([said('u1', 'u3', 'One.'), said('u2', 'u1', 'Two.'), said('u3', 'u2', 'Three.')])
    expect(links(lines)).toEqual({ u1: null, u2: 'u1', u3: 'u2' })
  })
})

describe('files of Claude Code that are hard to read', () => {
  test('[DC12] escapes, numbers, unknown keys and foreign lines keep their bytes where a link changes', async () => {
    const before = [
      `{ "uuid": "u1", "type": "user", "parentUuid": null, "timestamp": "2026-01-01T00:00:00.000Z", "n": 1.0,\t"message": {"content": "caf\\u00e9"}}`,
      'no record at all',
      `{"type":"strange","uuid":7,"load":1e5}`,
      `{"type":"user","n":-0.0,"parentUuid":"lost" ,"message":{"content":"\\u0041"},"uuid":"u2","timestamp":"2026-01-01T00:00:01.000Z"}`,
    ].join('\r\n')
    expect(await healedText(before)).toBe(before.replace('"lost"', '"u1"'))
  })

  test('[DC13] a torn last line is removed, and is in the report; records that share a line are separated', async () => {
    const [one, two] = [said('u1', null, 'One.'), said('u2', 'u1', 'Two.')].map(record => JSON.stringify(record))
    const torn = '{"parentUuid":"u2","type":"us'
    expect(await healedText(`${one}${two}\n${torn}`)).toBe(`${one}\n${two}\n`)
    const examination = await examined(`${one}${two}\n${torn}`)
    expect(examination.dropped).toEqual([{ at: 'line 2', rule: 'torn-record', content: torn }])
  })

  test('[DC14] bytes that are not text, an empty file and other lines of JSON are not sessions', async () => {
    await inFolder(async folder => {
      for (const [name, bytes] of [
        ['a.jsonl', Buffer.from([0xff, 0xfe, 0x00])],
        ['b.jsonl', Buffer.alloc(0)],
        ['c.jsonl', Buffer.from('{"type":"session_meta","payload":{}}\n')],
        ['d.json', Buffer.from(JSON.stringify(said('u1', null, 'hi')))],
      ] as const) {
        writeFileSync(join(folder, name), bytes)
        expect(claudeCode.recognises(peekAt(join(folder, name))), name).toBe(false)
      }
    })
  })

  test('[DC16] it is searched where its environment says', () => {
    const user = { home: '/home/ada', folder: '/work', environment: {}, platform: 'linux' }
    expect(claudeCode.places(user)).toEqual(['/home/ada/.claude/projects', '/home/ada/.config/claude/projects'])
    const environment = { CLAUDE_CONFIG_DIR: '/data/claude' }
    expect(claudeCode.places({ ...user, environment })).toEqual(['/data/claude/projects'])
  })
})

type Json = Record<string, unknown>

let seconds = 0
const record = (type: string, uuid: string, parentUuid: string | null, message: Json): Json => ({
  parentUuid,
  isSidechain: false,
  type,
  message,
  uuid,
  timestamp: new Date(Date.UTC(2026, 0, 1) + seconds++).toISOString(),
})
const said = (uuid: string, parent: string | null, content: string): Json =>
  record('user', uuid, parent, { role: 'user', content })
const called = (uuid: string, parent: string | null, id: string, call: string): Json =>
  record('assistant', uuid, parent, { role: 'assistant', id, content: [{ type: 'tool_use', id: call, name: 'Read' }] })
const answered = (uuid: string, parent: string, call: string): Json =>
  record('user', uuid, parent, { role: 'user', content: [result(call)] })
const result = (call: string): Json => ({ type: 'tool_result', tool_use_id: call, content: 'ok' })
const words = { type: 'text', text: 'And now?' }

const links = (lines: readonly Json[]): Json =>
  Object.fromEntries(lines.map(({ uuid, parentUuid }) => [uuid, parentUuid]))

async function healed(records: readonly Json[]): Promise<{ state: string; repairs: string[]; lines: Json[] }> {
  const text = records.map(one => `${JSON.stringify(one)}\n`).join('')
  const { state, repairs } = await examined(text)
  const lines = (await healedText(text)).trim().split('\n')
  return { state, repairs: repairs.map(({ rule }) => rule), lines: lines.map(line => JSON.parse(line)) }
}

const examined = (text: string): Promise<Examination> =>
  inFolder(async folder => {
    writeFileSync(join(folder, 's.jsonl'), text)
    return examine(join(folder, 's.jsonl'))
  })

const healedText = (text: string): Promise<string> =>
  inFolder(async folder => {
    const path = join(folder, 's.jsonl')
    writeFileSync(path, text)
    await (await examine(path)).storeRepair?.apply()
    return readFileSync(path, 'utf8')
  })

async function examine(path: string, now = 0): Promise<Examination> {
  const store = await claudeCode.open(path, { now })
  for await (const conversation of store.conversations()) return conversation.examine()
  throw new Error('there is no conversation')
}

/** The id of a process that has ended. */
