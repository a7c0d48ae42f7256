import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { peekAt } from '../../../../src/doctor/peek.ts'
import { openhands } from '../../../../src/doctor/systems/openhands/index.ts'
import { inFolder } from '../../contract.ts'
import { action, agent, conversation, error, idOf, observation, on, system, user } from './build.ts'
import { filesIn, written } from './folder.ts'
import { baseIn, eventsIn, healed, told, visitsOf } from './heal.ts'
import { refusalsOf } from './judge.ts'
import type { Files } from './view.ts'

const asked = [system, user('List the files.')]
const listed = [...asked, action('A'), observation('A', 2), agent('Two files.')]
const crashed = [...asked, action('A'), user('Go on.')]

const fileOf = (number: number, id = idOf(number)): string =>
  `events/event-${String(number).padStart(5, '0')}-${id}.json`

/** A conversation with some files removed, replaced or added. */
function spoilt(
  files: Files,
  changes: Readonly<Record<string, string | Uint8Array | undefined>>,
): Map<string, Uint8Array> {
  const now = new Map(files)
  for (const [path, content] of Object.entries(changes)) {
    if (content === undefined) now.delete(path)
    else now.set(path, typeof content === 'string' ? Buffer.from(content) : content)
  }
  return now
}

const complaints = (visits: Awaited<ReturnType<typeof visitsOf>>): string[] =>
  visits.flatMap(one => (one.kind === 'unreadable' ? [one.error.message] : []))

describe('OpenHands, what is in its folder', () => {
  test('[DH12] a gap in the numbers is closed, and lost links are repaired', async () => {
    const { files, rules } = await healed(
      spoilt(conversation([...listed, user('And now?')]), { [fileOf(4)]: undefined }),
    )
    expect(rules).toEqual(['missing-number', 'lost-parent'])
    expect([...files.keys()].at(-1)).toBe(fileOf(4, idOf(5)))
    expect(told(files)).toEqual(['system', 'user', 'call A', 'saw A', 'user'])
  })

  test('[DH12] when the first event is lost, the next one is the root', async () => {
    const { files } = await healed(spoilt(conversation(listed), { [fileOf(0)]: undefined }))
    expect(eventsIn(files)[0]).toMatchObject({ id: idOf(1), parent_id: '__root__' })
    expect(refusalsOf(files)).toEqual([])
  })

  test('[DH12] of two events with one number both stay', async () => {
    const twin = conversation([...listed, on(4, user('Said at the same time.'))]).get(fileOf(5)) as Buffer
    const { files, rules } = await healed(spoilt(conversation(listed), { [fileOf(4, idOf(5))]: twin.toString() }))
    expect(rules).toEqual(['repeated-number'])
    expect([...files.keys()].slice(-2)).toEqual([fileOf(4), fileOf(5)])
  })

  test('[DH12] an event that was written twice stays once', async () => {
    const before = conversation(listed)
    const copy = before.get(fileOf(3)) as Buffer
    const { files, rules, found } = await healed(spoilt(before, { [fileOf(5, idOf(3))]: copy.toString() }))
    expect(rules).toEqual(['repeated-event'])
    expect(found.examination.dropped.map(({ content }) => content)).toEqual([copy.toString()])
    expect(files).toEqual(before)
  })

  test('[DH12] a file that is named by another id gets its own', async () => {
    const before = conversation(listed)
    const text = (before.get(fileOf(3)) as Buffer).toString()
    const { files, rules } = await healed(spoilt(before, { [fileOf(3)]: undefined, [fileOf(3, idOf(77))]: text }))
    expect(rules).toEqual(['misnamed-event'])
    expect(files).toEqual(before)
  })

  test('[DH12] a head that is not there moves to the last event', async () => {
    const { files, rules } = await healed(conversation(listed, { head: 88, status: 'finished' }))
    expect(rules).toEqual(['lost-head'])
    expect(baseIn(files)).toMatchObject({ leaf_event_id: idOf(4), execution_status: 'finished' })
  })

  test('[DH12] links that go in a circle are opened', async () => {
    const { files, rules } = await healed(
      conversation([system, on(3, user('Hello.')), agent('Hello.'), user('Go on.')]),
    )
    expect(rules).toEqual(['lost-parent'])
    expect(told(files)).toEqual(['system', 'user', 'agent', 'user'])
  })

  test.each([
    ['is empty', ''],
    ['is cut', '{"id":"00000005-aaaa","timest'],
    ['is not text', Buffer.from([0x7b, 0xff, 0xfe])],
    ['is not an event', '[1, 2]'],
  ])('[DH13] the file of an event that %s is dropped and reported', async (_, content) => {
    const before = conversation(listed)
    const { files, rules, found } = await healed(spoilt(before, { [fileOf(5)]: content }))
    expect(rules).toEqual(['unreadable-event'])
    expect(found.examination.dropped).toEqual([
      { at: 'event-00005', rule: 'unreadable-event', content: content.toString() },
    ])
    expect(files).toEqual(before)
  })

  test('[DH14] only the values that must change do; all else stays byte for byte', async () => {
    const odd = (text: string): string =>
      text
        .replace('"id":', '"x_odd" : {"a":1.0,"b":[1e5,1E400,"\\u00e9"],"parent_id":"inner"},\n "id": ')
        .concat('\r\n')
    const before = new Map(
      [...conversation(crashed, { status: 'error' })].map(([path, bytes]) => [
        path,
        Buffer.from(odd(bytes.toString())),
      ]),
    )
    const { files } = await healed(before)
    const made = eventsIn(files)[3]?.id as string
    const last = (before.get(fileOf(3)) as Buffer)
      .toString()
      .replace(`"parent_id":"${idOf(2)}"`, `"parent_id":"${made}"`)
    expect(files.get(fileOf(4, idOf(3)))?.toString()).toBe(last)
    for (const number of [0, 1, 2]) expect(files.get(fileOf(number))).toEqual(before.get(fileOf(number)))
    const base = (before.get('base_state.json') as Buffer).toString().replace('"error"', '"idle"')
    expect(files.get('base_state.json')?.toString()).toBe(base)
  })

  test('[DH14] other files stay, except a count that is no longer true; permissions and times are kept', async () => {
    await inFolder(async folder => {
      const others = {
        'events/.eventlog.lock': '',
        'meta.json': '{"a":1.0}',
        'observations/x/big.txt': 'words',
        'events/notes.txt': 'n',
      }
      const path = written(spoilt(conversation(crashed), { ...others, 'events/.eventlog-count-4.marker': '' }), folder)
      symlinkSync('meta.json', join(path, 'link'))
      chmodSync(join(path, fileOf(3)), 0o640)
      const time = new Date('2026-02-27T08:00:00Z')
      for (const name of [fileOf(3), 'meta.json', 'events', '.']) utimesSync(join(path, name), time, time)
      await visitsOf(path, folder)
      const files = filesIn(path)
      for (const [name, content] of Object.entries(others)) expect(files.get(name)?.toString()).toBe(content)
      expect([...files.keys()].some(name => name.includes('marker'))).toBe(false)
      expect(readFileSync(join(path, 'link'), 'utf8')).toBe('{"a":1.0}')
      const moved = statSync(join(path, fileOf(4, idOf(3))))
      expect(moved.mode & 0o777).toBe(0o640)
      for (const name of [fileOf(4, idOf(3)), 'meta.json', 'events', '.'])
        expect(statSync(join(path, name)).mtime).toEqual(time)
    })
  })

  test('[DH15] a conversation that an agent server holds is left alone', async () => {
    const now = Date.UTC(2026, 10, 15)
    const lease = (owner: object): string =>
      JSON.stringify({ owner_instance_id: 'x', generation: 1, expires_at: now / 1000 + 30, ...owner })
    const states = []
    for (const owner of [{}, { owner_host: 'elsewhere', owner_pid: 1 }, { owner_host: hostname(), owner_pid: 1 }]) {
      const before = spoilt(conversation(crashed), { 'owner_lease.json': lease(owner) })
      const { found, files } = await healed(before, now)
      expect(files).toEqual(before)
      states.push(found.examination.state)
    }
    for (const owner of [{ expires_at: now / 1000 - 1 }, { owner_host: hostname(), owner_pid: 2 ** 22 + 1 }])
      states.push(
        (await healed(spoilt(conversation(crashed), { 'owner_lease.json': lease(owner) }), now)).found.examination
          .state,
      )
    expect(states).toEqual(['busy', 'busy', 'busy', 'broken', 'broken'])
  })

  test('[DH16] a base state that cannot be read, and an event that is a link, are one clear line each; the rest is examined', async () => {
    await inFolder(async folder => {
      const cut = written(spoilt(conversation(listed), { 'base_state.json': '{"id":"x' }), folder, 'cut')
      const empty = written(spoilt(conversation(listed), { 'base_state.json': '' }), folder, 'empty')
      const linked = written(spoilt(conversation(listed), { [fileOf(4)]: undefined }), folder, 'linked')
      writeFileSync(join(folder, 'elsewhere.json'), '{}')
      symlinkSync(join(folder, 'elsewhere.json'), join(linked, fileOf(4)))
      const outside = written(spoilt(conversation([]), {}), folder, 'outside')
      mkdirSync(join(folder, 'far'))
      symlinkSync(join(folder, 'far'), join(outside, 'events'))
      written(conversation(listed), folder, 'whole')
      const visits = await visitsOf(folder, folder)
      expect(complaints(visits)).toEqual([
        `${join(cut, 'base_state.json')}: it is cut off or not JSON, so OpenHands cannot load the conversation`,
        `${join(empty, 'base_state.json')}: it is cut off or not JSON, so OpenHands cannot load the conversation`,
        `${join(linked, fileOf(4))}: it is a link or a folder where an event should be`,
        `${join(outside, 'events')}: it is a symbolic link inside a store, and is not followed`,
      ])
      expect(visits.flatMap(one => (one.kind === 'conversation' ? [one.examination.state] : []))).toEqual(['healthy'])
    })
  })

  test('[DH16] conversations of subagents are repaired too, and an unreadable one affects no other', async () => {
    await inFolder(async folder => {
      const path = written(conversation(listed), folder)
      const agents = join(path, 'subagents')
      written(spoilt(conversation(listed), { 'base_state.json': '{' }), agents, 'a')
      const child = written(conversation(crashed), agents, 'b')
      mkdirSync(join(agents, 'nothing'))
      const visits = await visitsOf(path, folder)
      expect(visits.map(one => (one.kind === 'conversation' ? one.examination.state : one.kind))).toEqual([
        'healthy',
        'unreadable',
        'broken',
      ])
      expect(told(filesIn(child))).toEqual(['system', 'user', 'call A', 'error A', 'user'])
    })
  })

  test('[DH16] a conversation that has just begun is healthy, and so is one without a base state', async () => {
    for (const files of [
      new Map([['base_state.json', Buffer.from('{"id":"x"}')]]),
      spoilt(conversation(listed), { 'base_state.json': undefined }),
    ])
      expect((await healed(files)).found.examination.state).toBe('healthy')
  })

  test('[DH16] a folder is recognised by the names in it', async () => {
    await inFolder(async folder => {
      const path = written(spoilt(conversation(listed), { 'base_state.json': undefined }), folder)
      mkdirSync(join(folder, 'other', 'events'), { recursive: true })
      expect([path, join(folder, 'other'), join(path, 'events')].map(one => openhands.recognises(peekAt(one)))).toEqual(
        [true, false, false],
      )
    })
    const user = { home: '/home/u', folder: '/work', environment: {}, platform: 'linux' }
    expect(openhands.places(user)).toEqual(['/home/u/.openhands/conversations', '/work/workspace/conversations'])
    expect(openhands.places({ ...user, environment: { OPENHANDS_PERSISTENCE_DIR: '/p' } })[0]).toBe('/p/conversations')
    expect(openhands.places({ ...user, environment: { OPENHANDS_CONVERSATIONS_DIR: '/c' } })[0]).toBe('/c')
  })

  test('[DH16] a conversation that changes during its repair is left as it is', async () => {
    await inFolder(async folder => {
      const path = written(conversation([...asked, action('A'), error('A'), observation('A', 2)]), folder)
      const store = await openhands.open(path, { now: 0 })
      for await (const one of store.conversations()) {
        const { storeRepair } = await one.examine()
        writeFileSync(join(path, fileOf(5)), conversation([...listed, user('New.')]).get(fileOf(5)) as Buffer)
        const before = filesIn(path)
        await expect(storeRepair?.apply()).rejects.toThrow('it changed during the repair')
        expect(filesIn(path)).toEqual(before)
      }
    })
  })
})
