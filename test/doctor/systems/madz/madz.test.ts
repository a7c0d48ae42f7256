import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type DoctorResult, examineStores } from '../../../../src/doctor/doctor.ts'
import { madz } from '../../../../src/doctor/systems/madz/index.ts'
import { describeSystem, healSample, inFolder } from '../../contract.ts'
import { loadSession } from './request.ts'
import { refusals, subject } from './subject.ts'

describeSystem(subject)

const sample = (name: string): string => fileURLToPath(new URL(`samples/${name}.md`, import.meta.url))

describe('samples', () => {
  test('[DM1] the broken sample becomes the repaired one, byte for byte', async () => {
    await healSample(madz, sample('broken'), (path, [{ id, examination }]) => {
      expect(id).toBe('6f1c0a52-3d1e-4f0b-9a77-2b8f4d9e1c30')
      expect(examination.state).toBe('broken')
      expect(examination.repairs.map(({ rule, class: kind }) => [rule, kind])).toEqual([
        ['unanswered-call', 'lossy'],
        ['system-not-first', 'lossless'],
      ])
      expect(examination.repairs.map(({ refusal }) => refusal)).toEqual([
        expect.stringContaining('call_m1'),
        'System message must be at the beginning.',
      ])
      expect(examination.since).toEqual({ turn: 2, at: 'entry 4' })
      expect(examination.dropped).toEqual([
        { at: 'entry 4', rule: 'unanswered-call', content: expect.stringContaining('npm test') },
      ])
      expect(readFileSync(path, 'utf8')).toBe(readFileSync(sample('healed'), 'utf8'))
    })
  })

  test('[DM1] line ends, a byte order mark and a missing last line end stay as they are', async () => {
    const shaped = (name: string): string =>
      `\uFEFF${readFileSync(sample(name), 'utf8').trimEnd().replaceAll('\n', '\r\n')}`
    await inFolder(async folder => {
      const path = join(folder, 'session.md')
      writeFileSync(path, shaped('broken'))
      await all(examineStores([path], { systems: [madz], fix: true, backups: join(folder, '..', 'backups') }))
      expect(readFileSync(path, 'utf8')).toBe(shaped('healed'))
    })
  })

  test.each(['healthy', 'healed'])('[DM2] %s is left as it is', async name => {
    await healSample(madz, sample(name), (path, [{ examination }]) => {
      expect(examination.state).toBe('healthy')
      expect(readFileSync(path)).toEqual(readFileSync(sample(name)))
    })
  })
})

describe('repairing', () => {
  test('[DM3] calls with results stay; of a list only those without go', async () => {
    const calls = ['call_1', 'call_2'].map(id => ({
      id,
      type: 'function',
      function: { name: 'process', arguments: '{}' },
    }))
    const entries = [
      { role: 'user', content: 'Run them', timestamp: 't1' },
      { role: 'assistant', content: { tool_calls: calls }, timestamp: 't2' },
      { role: 'user', content: 'and?', timestamp: 't3' },
      { role: 'tool', content: 'passed', tool_call_id: 'call_2', timestamp: 't4' },
    ]
    const healed = await heal(entries)
    expect(healed).toEqual([entries[0], { ...entries[1], content: { tool_calls: [calls[1]] } }, entries[3], entries[2]])
  })

  test('[DM3] text next to removed calls is kept', async () => {
    const calls = [{ id: 'call_1', type: 'function', function: { name: 'process', arguments: '{}' } }]
    const entries = [
      { role: 'user', content: 'Run them', timestamp: 't1' },
      { role: 'assistant', content: { content: 'Right away.', tool_calls: calls }, timestamp: 't2' },
      { role: 'assistant', content: '', tool_calls: [{ ...calls[0], id: 'call_9' }], timestamp: 't3' },
      { role: 'user', content: 'and?', timestamp: 't4' },
    ]
    expect(await heal(entries)).toEqual([entries[0], { ...entries[1], content: 'Right away.' }, entries[3]])
  })

  test('[DM3] two different system texts are joined, and come first', async () => {
    const entries = [
      { role: 'user', content: 'Hello', timestamp: 't1' },
      { role: 'system', content: 'Be brief.', timestamp: 't0' },
      { role: 'assistant', content: 'Hi', timestamp: 't2' },
      { role: 'system', content: 'Be kind.', timestamp: 't3' },
      { role: 'system', content: 'Be brief.', timestamp: 't4' },
    ]
    const [system, ...rest] = await heal(entries)
    expect(system).toEqual({ role: 'system', content: 'Be brief.\n\nBe kind.', timestamp: 't0' })
    expect(rest).toEqual([entries[0], entries[2]])
  })

  test.each(['', 'threadId: null\n', 'threadId: ""\n'])(
    '[DM5] a session that was not saved has the name of its file',
    id =>
      inFolder(async folder => {
        const path = join(folder, 'unsaved.md')
        const entries = [
          { role: 'user', content: 'a', timestamp: 't1' },
          { role: 'system', content: 'b', timestamp: 't2' },
        ]
        const front = `---\n${id}messageCount: 2\nstartedAt: "t1"\nendedAt: "t9"\n---\n`
        writeFileSync(path, `${front}${JSON.stringify(entries, null, 2)}\n`)
        const visits = await all(
          examineStores([path], { systems: [madz], fix: true, backups: join(folder, '..', 'backups') }),
        )
        expect(visits).toMatchObject([{ kind: 'conversation', id: 'unsaved', examination: { state: 'broken' } }])
        const healed = `${front.replace('"t1"', '"t2"')}${JSON.stringify(entries.toReversed(), null, 2)}\n`
        expect(readFileSync(path, 'utf8')).toBe(healed)
      }),
  )

  async function heal(entries: readonly object[]): Promise<object[]> {
    return inFolder(async folder => {
      const path = join(folder, 'session.md')
      const front = `---\nthreadId: "x"\nmessageCount: ${entries.length}\nstartedAt: "t1"\nendedAt: "t9"\n---\n`
      writeFileSync(path, `${front}${JSON.stringify(entries, null, 2)}\n`)
      const visits = await all(
        examineStores([path], { systems: [madz], fix: true, backups: join(folder, '..', 'backups') }),
      )
      expect(visits.map(one => (one.kind === 'conversation' ? one.failure : one))).toEqual([undefined])
      const healed = loadSession(readFileSync(path)) as unknown as { timestamp: string }[]
      expect(readFileSync(path, 'utf8')).toContain(
        `---\nthreadId: "x"\nmessageCount: ${healed.length}\nstartedAt: "${healed[0].timestamp}"\nendedAt: "t9"\n---\n[`,
      )
      expect(refusals(path)).toEqual([])
      return healed
    })
  }
})

describe('bad input', () => {
  const front = '---\nthreadId: "x"\nmessageCount: 2\nstartedAt: "t"\nendedAt: "t"\n---\n'

  test.each([
    ['a list that was cut', `${front}[\n  {\n    "role": "user",\n    "cont`, /session\.md:\d+:\d+/],
    ['a file that was cut in the lines in front', '---\nthreadId: "x"\nmessa', /list of messages is missing/],
    ['a list that is missing', front, /list of messages is missing/],
    ['a list of something else', `${front}[1, 2]`, /no list of messages/],
    [
      'bytes that are no UTF-8',
      Buffer.concat([Buffer.from(`${front}[`), Buffer.from([0xff, 0xfe]), Buffer.from(']')]),
      /not UTF-8/,
    ],
    ['another note with lines in front', '---\ntitle: "x"\n---\nHello', /not a store/],
    ['an empty file', '', /empty/],
  ])('[DM4] %s is one clear line', async (_, bytes, line) => {
    await inFolder(async folder => {
      const path = join(folder, 'session.md')
      writeFileSync(path, bytes)
      const visits = await all(
        examineStores([path], { systems: [madz], fix: true, backups: join(folder, '..', 'backups') }),
      )
      expect(visits).toMatchObject([{ kind: 'unreadable' }])
      const [{ error }] = visits as { error: Error }[]
      expect(error.message).toMatch(line)
      expect(error.message.split('\n')).toHaveLength(1)
      expect(readFileSync(path)).toEqual(Buffer.from(bytes))
    })
  })
})

async function all(visits: AsyncIterable<DoctorResult>): Promise<DoctorResult[]> {
  const list: DoctorResult[] = []
  for await (const one of visits) list.push(one)
  return list
}
