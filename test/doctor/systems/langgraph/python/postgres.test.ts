import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createConnection, createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressWithoutPassword } from '../../../../../src/doctor/address.ts'
import { restore } from '../../../../../src/doctor/backup/restore.ts'
import { examineStores } from '../../../../../src/doctor/doctor.ts'
import { langgraph } from '../../../../../src/doctor/systems/langgraph/index.ts'
import { systems } from '../../../../../src/doctor/systems.ts'
import { type Server, startServer } from '../../../../journal/stores/postgres-server.ts'
import { corruptChat, generateChat, message, refusalsBy, result, user, wordsIn } from '../../../chat/chat.ts'
import { differences } from '../../../chat/expected.ts'
import { about, all, inFolder, state } from '../../../contract.ts'
import { complaint, only } from '../../instatic/helpers.ts'
import { postgresTables } from '../../instatic/tables.ts'
import { heal, idAt, newDatabase, ofSample, ofSteps, see, thread, written } from './postgres-store.ts'

let server: Server

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const seeds = Array.from({ length: 10 }, (_, seed) => 63_000 + seed)
const title = 'LangGraph for Python in PostgreSQL'
const asks = message('assistant', { calls: [{ id: 'a', name: 'bash', input: { by: 1.5 } }] })
const broken = ofSteps({ chat: [user('Go')] }, { chat: [user('Go'), asks, user('Next')] })

test(`[D635] ${title}: the broken sample is repaired as expected, and healthy ones stay`, () =>
  inFolder(async folder => {
    for (const name of ['healthy', 'healed', 'broken']) {
      const store = await newDatabase(server, ofSample(name))
      const before = await store.dump()
      const found = await heal(store.address, folder)
      if (name === 'broken') {
        const list = join(import.meta.dirname, 'samples', 'broken', 'expected.json')
        expect(differences(await store.chat(), 'thread-42', JSON.parse(readFileSync(list, 'utf8')))).toEqual([])
        await restore(only(found).backup as string, [langgraph], store.address)
      } else expect(found.map(state)).toEqual(['healthy'])
      expect(await store.dump()).toEqual(before)
      await store.close()
    }
  }))

test(`[D635] ${title}: random threads stay if they are healthy; otherwise they are repaired once, and can be restored`, async () => {
  let repaired = 0
  for (const seed of seeds) {
    await inFolder(async folder => {
      const chat = generateChat(seed)
      const healthy = await newDatabase(server, ofSteps({ chat }))
      const unchanged = await healthy.dump()
      expect((await heal(healthy.address, folder)).map(state)).toEqual(['healthy'])
      expect(await healthy.dump()).toEqual(unchanged)
      const store = await newDatabase(server, ofSteps({ chat }, { chat: corruptChat(seed, chat) }))
      const before = await store.dump()
      const words = wordsIn(JSON.stringify(await store.chat()))
      const found = only(await heal(store.address, folder))
      const after = await store.chat()
      expect({ seed, refused: refusalsBy(() => after) }).toEqual({ seed, refused: [] })
      const kept = new Set(wordsIn(JSON.stringify([after, found.examination.dropped])))
      expect(words.filter(word => !kept.has(word))).toEqual([])
      expect(only(await heal(store.address, folder)).examination.state).toBe('healthy')
      const { backup } = found
      if (backup !== undefined) {
        repaired++
        await restore(backup, [langgraph], store.address)
      }
      expect(await store.dump(), `seed ${seed}`).toEqual(before)
      for (const one of [healthy, store]) await one.close()
    })
  }
  expect(repaired).toBeGreaterThan(seeds.length / 2)
})

test(`[D635] ${title}: only the bytes of the messages of the newest checkpoint change, and nothing without --fix`, () =>
  inFolder(async folder => {
    const store = await newDatabase(server, broken)
    const rows = async () => (await store.dump()).map(({ row }) => row)
    const before = await rows()
    expect(only(await see(store.address)).examination).toMatchObject({ state: 'broken', counts: { unanswered: 1 } })
    expect(await rows()).toEqual(before)
    await heal(store.address, folder)
    const after = await rows()
    expect(after.filter(row => !before.includes(row))).toHaveLength(1)
    expect(before.filter(row => !after.includes(row))).toHaveLength(1)
    await store.close()
  }))

test.each([
  [
    'a node that has not run',
    {
      more: {
        channel_values: { 'branch:to:tools': null },
        channel_versions: { messages: `${'0'.repeat(31)}2.0.5`, 'branch:to:tools': '3' },
      },
    },
  ],
  ['an interrupt', { writes: [{ channel: '__interrupt__', value: [] }] }],
  ['results of its step', { writes: [{ channel: 'messages', value: written([result('a', 'late')]) }] }],
])(`[D636] ${title}: a thread that waits for %s stays as it is`, (_, more) =>
  inFolder(async folder => {
    const store = await newDatabase(server, ofSteps({ chat: [user('Go'), asks], ...more }))
    const before = await store.dump()
    expect((await heal(store.address, folder)).map(state)).toEqual(['pending'])
    expect(await store.dump()).toEqual(before)
    await store.close()
  }),
)

test(`[SE423] ${title}: a node that ran is not waited for, although its channel has a newer version`, () =>
  inFolder(async folder => {
    const versions = { messages: `${'0'.repeat(31)}2.0.5`, 'branch:to:tools': '4' }
    const more = { channel_versions: versions, versions_seen: { tools: { 'branch:to:tools': '3' } } }
    const store = await newDatabase(server, ofSteps({ chat: [user('Go'), asks], more }))
    const empty = (type: string, blob: Buffer | null) =>
      store.sql(
        `insert into checkpoint_blobs values ($1, '', 'branch:to:tools', '4', $2, $3)
         on conflict (thread_id, checkpoint_ns, channel, version) do update set type = $2, blob = $3`,
        [thread, type, blob],
      )
    await empty('null', Buffer.alloc(0))
    expect((await see(store.address)).map(state)).toEqual(['pending'])
    await empty('empty', null)
    expect((await heal(store.address, folder)).map(state)).toEqual(['broken'])
    await store.close()
  }))

test(`[D635] ${title}: a short value called messages is not a difference, and the messages of another channel are repaired`, () =>
  inFolder(async folder => {
    const version = `${'0'.repeat(31)}2.0.5`
    const more = { channel_values: { messages: 'two' }, channel_versions: { messages: version, chat: version } }
    const store = await newDatabase(server, ofSteps({ chat: [user('Go'), asks, user('Next')], more }))
    await store.sql(`update checkpoint_blobs set channel = 'chat'`)
    expect((await heal(store.address, folder)).map(state)).toEqual(['broken'])
    expect((await heal(store.address, folder)).map(state)).toEqual(['healthy'])
    await store.close()
  }))

test(`[D636] ${title}: tasks that older versions kept with the step before are waited for`, () =>
  inFolder(async folder => {
    const sent = { channel: '__pregel_tasks', value: ['tools'] }
    for (const [v, expected] of [
      [2, 'pending'],
      [4, 'broken'],
    ] as const) {
      const steps = ofSteps({ chat: [user('Go')], writes: [sent] }, { chat: [user('Go'), asks], more: { v } })
      const store = await newDatabase(server, steps)
      expect((await heal(store.address, folder)).map(state)).toEqual([expected])
      await store.close()
    }
  }))

test(`[D637] ${title}: a result that a discarded step left in the writes is used, but never one of another call with its id`, () =>
  inFolder(async folder => {
    const asksTwo = message('assistant', {
      calls: [...asks.calls, { id: 'b', name: 'bash', input: {} }],
    })
    const left = [{ channel: 'messages', value: written([result('a', 'the real result')]) }]
    const store = await newDatabase(
      server,
      ofSteps({ chat: [user('Go'), asksTwo], writes: left }, { chat: [user('Go'), asksTwo, user('Next')] }),
    )
    const { examination } = only(await heal(store.address, folder))
    expect((await store.chat()).flatMap(({ results }) => results)).toEqual([
      { id: 'a', text: 'the real result' },
      { id: 'b', text: expect.stringContaining('interrupted') },
    ])
    expect(examination.repairs.map(repair => repair.class)).toEqual(['lossless', 'synthetic'])
    const reused = await newDatabase(
      server,
      ofSteps(
        { chat: [user('Go'), asks], writes: left },
        { chat: [user('Go'), asks, result('a', 'the real result'), message('assistant', { texts: ['Done'] })] },
        { chat: [user('Other'), user('Go'), asks, user('Next')] },
      ),
    )
    await heal(reused.address, folder)
    expect((await reused.chat()).flatMap(({ results }) => results)).toEqual([
      { id: 'a', text: expect.stringContaining('interrupted') },
    ])
    for (const one of [store, reused]) await one.close()
  }))

test(`[D638] ${title}: a thread is left alone while another program is connected or writes, and if it changed since`, () =>
  inFolder(async folder => {
    const store = await newDatabase(server, broken)
    const before = await store.dump()
    const program = new pg.Client({ connectionString: store.address, application_name: 'agent' })
    await program.connect()
    expect(only(await heal(store.address, folder)).failure?.message).toContain('another program is connected')
    await program.query('begin; update checkpoints set metadata = metadata')
    expect(complaint(await heal(store.address, folder, true))).toContain('it is being written to')
    await program.query('rollback')
    await program.end()
    expect(await store.dump()).toEqual(before)
    const opened = await langgraph.open(store.address, { now: Date.now() })
    for await (const one of opened.conversations()) {
      const { storeRepair } = await one.examine()
      await store.sql(
        'insert into checkpoints select thread_id, checkpoint_ns, $1, checkpoint_id, type, checkpoint from checkpoints where checkpoint_id = $2',
        [idAt(5), idAt(1)],
      )
      await expect(storeRepair?.apply()).rejects.toThrow('it changed during the repair, so nothing was written')
    }
    await opened.close()
    await store.close()
  }))

test(`[D638] ${title}: a thread that was continued since is not restored; what a restore replaces is kept`, () =>
  inFolder(async folder => {
    const store = await newDatabase(server, broken)
    const before = await store.dump()
    const { backup } = only(await heal(store.address, folder))
    const healed = await store.dump()
    const { kept } = await restore(backup as string, [langgraph], store.address)
    expect(await store.dump()).toEqual(before)
    await restore(kept as string, [langgraph], store.address)
    expect(await store.dump()).toEqual(healed)
    await store.sql(
      'insert into checkpoints select thread_id, checkpoint_ns, $1, checkpoint_id, type, checkpoint from checkpoints where checkpoint_id = $2',
      [idAt(5), idAt(1)],
    )
    const continued = await store.dump()
    await expect(restore(backup as string, [langgraph], store.address)).rejects.toThrow(
      `thread ${thread} was continued since the repair, so nothing was restored`,
    )
    expect(await store.dump()).toEqual(continued)
    await store.close()
  }))

test.each(['lock table', 'update', 'commit'])(
  `[D638] ${title}: killed when it has sent "%s", the old or the new messages are there, and the next repair finishes`,
  words =>
    inFolder(async folder => {
      const [store, other] = [await newDatabase(server, broken), await newDatabase(server, broken)]
      const before = await store.dump()
      await heal(other.address, folder)
      const healed = await other.dump()
      const child = [join(import.meta.dirname, 'kill-child.ts'), store.address, folder, words]
      expect(spawnSync(process.execPath, child, { encoding: 'utf8' })).toMatchObject({ signal: 'SIGKILL', stderr: '' })
      expect(words === 'commit' ? [before, healed] : [before]).toContainEqual(await store.dump())
      await heal(store.address, folder)
      expect(await store.dump()).toEqual(healed)
      for (const one of [store, other]) await one.close()
    }),
)

test.each<[string, string, string]>([
  ['another serializer', "update checkpoint_blobs set type = 'msgpack+aes'", 'written as msgpack+aes'],
  ['bytes that are cut off', 'update checkpoint_blobs set blob = substr(blob, 1, length(blob) - 3)', 'not the msgpack'],
  ['differences', 'delete from checkpoint_blobs', 'differences (DeltaChannel)'],
  ['a saver without versions', 'alter table checkpoint_blobs drop column version', 'ShallowPostgresSaver'],
  ['other tables', 'drop table checkpoint_blobs', 'it has no checkpoints of LangGraph'],
])(`[D639] ${title}: %s gets one clear line`, (_, change, words) =>
  inFolder(async folder => {
    const store = await newDatabase(server, broken)
    await store.sql(change)
    const [first, second] = (await heal(store.address, folder)).map(about)
    expect([first, second]).toEqual([expect.stringContaining(words), undefined])
    expect(first).not.toMatch(/:[^/@\s]+@/)
    await store.close()
  }),
)

test('[D639] the tables in a database say whose stores are there, and no password is printed', async () => {
  const look = (address: string, only?: string) =>
    all(examineStores([address], { systems: systems.filter(({ id }) => only === undefined || id === only) }))
  const store = await newDatabase(server, broken)
  expect((await look(store.address)).map(one => one.kind === 'conversation' && one.system.id)).toEqual(['langgraph'])
  await store.sql(postgresTables())
  expect((await look(store.address)).map(one => one.kind === 'conversation' && one.system.id)).toEqual(['langgraph'])
  const empty = await newDatabase(server, async () => {})
  const place = addressWithoutPassword(empty.address)
  expect((await look(empty.address)).map(about)).toEqual([`${place}: it has no tables of Instatic or LangGraph`])
  expect((await look(empty.address, 'codex')).map(about)).toEqual([`${place}: it is not a store of codex`])
  expect((await look(server.url(1))).map(about)).toEqual([
    `${addressWithoutPassword(server.url(1))}: no server is there`,
  ])
  for (const one of [store, empty]) await one.close()
})

test(`[SE384] ${title}: a repair whose commit got no answer keeps its backup, and says where it is`, () =>
  inFolder(async folder => {
    const store = await newDatabase(server, broken)
    const before = await store.dump()
    await using relay = await relayThatLosesTheCommit(store.address)
    const [found] = await heal(relay.address, folder)
    const backups = join(folder, '..', 'backups')
    const [name = ''] = readdirSync(backups)
    expect(found).toMatchObject({
      failure: { message: expect.stringContaining(`its former content is in ${join(backups, name)}`) },
    })
    expect(await store.dump()).not.toEqual(before)
    expect(JSON.parse(readFileSync(join(backups, name, 'data'), 'utf8'))).toMatchObject({ before: expect.any(String) })
    await store.close()
  }))

test(`[D637] ${title}: a thread is repaired though a value of an earlier checkpoint is damaged`, () =>
  inFolder(async folder => {
    const writes = [{ channel: 'messages', value: written([result('a', 'late')]) }]
    const steps = ofSteps({ chat: [user('Go'), asks], writes }, { chat: [user('Go'), asks, user('Next')] })
    const store = await newDatabase(server, steps)
    await store.sql(`update checkpoint_blobs set blob = substr(blob, 1, 9) where version like '%02.0.5'`)
    expect((await heal(store.address, folder)).map(state)).toEqual(['broken'])
    expect((await heal(store.address, folder)).map(state)).toEqual(['healthy'])
    await store.close()
  }))

/** Passes everything on, but ends the connection when the server has answered a commit. */
async function relayThatLosesTheCommit(address: string) {
  const { hostname, port } = new URL(address)
  const relay = createServer(client => {
    const upstream = createConnection({ host: hostname, port: Number(port) })
    let isCommitting = false
    client.on('data', bytes => {
      isCommitting ||= bytes.toString('latin1').includes('commit')
      upstream.write(bytes)
    })
    upstream.on('data', bytes => (isCommitting ? client.destroy() : client.write(bytes)))
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy())
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const url = new URL(address)
  url.host = `127.0.0.1:${(relay.address() as AddressInfo).port}`
  return { address: url.href, [Symbol.asyncDispose]: async () => void relay.close() }
}
