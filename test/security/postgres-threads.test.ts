import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { message, result, user } from '../doctor/chat/chat.ts'
import { inFolder, state } from '../doctor/contract.ts'
import { complaint } from '../doctor/systems/instatic/helpers.ts'
import { pack } from '../doctor/systems/langgraph/python/msgpack.ts'
import {
  heal,
  idAt,
  newDatabase,
  ofSteps,
  type Sql,
  see,
  thread,
  written,
} from '../doctor/systems/langgraph/python/postgres-store.ts'
import { type Server, startServer } from '../journal/stores/postgres-server.ts'

let server: Server

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const asks = message('assistant', { calls: [{ id: 'a', name: 'bash', input: {} }] })
const broken = ofSteps({ chat: [user('Go')] }, { chat: [user('Go'), asks, user('Next')] })

const trigger = (body: string): string =>
  `create function own() returns trigger language plpgsql as 'begin ${body} end';
   create trigger own before update on checkpoint_blobs for each row execute function own()`

test.each([
  ['a trigger that drops it', trigger('return null;')],
  ['a trigger that changes it', trigger('new.blob = new.blob || new.blob; return new;')],
  ['a rule', 'create rule own as on update to checkpoint_blobs do instead nothing'],
])('[SE420] a repair that %s keeps from the rows of PostgreSQL is an error, and nothing is written', (_, sql) =>
  inFolder(async folder => {
    const store = await newDatabase(server, broken)
    await store.sql(sql)
    const before = await store.dump()
    expect(complaint(await heal(store.address, folder))).toContain('the messages read back differ from the repair')
    expect(await store.dump()).toEqual(before)
    await store.close()
  }),
)

/** The statements of the doctor that read values. */
async function readsDuring(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await work()
    return spy.mock.calls.filter(([text]) => String(text).includes('encode(b.blob')).length
  } finally {
    spy.mockRestore()
  }
}

async function addChannels(sql: Sql, names: readonly string[], blob: Buffer): Promise<void> {
  for (const name of names)
    await sql('insert into checkpoint_blobs values ($1, $2, $3, $4, $5, $6)', [thread, '', name, '1', 'msgpack', blob])
  await sql(
    `update checkpoints set checkpoint = jsonb_set(checkpoint, '{channel_versions}', (checkpoint -> 'channel_versions') || $1)
     where checkpoint_id = $2`,
    [JSON.stringify(Object.fromEntries(names.map(name => [name, '1']))), idAt(1)],
  )
}

test('[SE421] the values of a checkpoint in PostgreSQL are read once for all of its channels, and each repair counts', () =>
  inFolder(async folder => {
    const store = await newDatabase(server, broken)
    const names = Array.from({ length: 60 }, (_, index) => `channel-${index}`)
    await addChannels(store.sql, names, pack(written([user('Go'), asks, user('Next')])))
    expect(await readsDuring(() => see(store.address))).toBe(1)
    expect((await heal(store.address, folder)).map(state)).toEqual(Array(61).fill('broken'))
    expect((await see(store.address)).map(state)).toEqual(Array(61).fill('healthy'))
    await store.close()
  }))

test('[SE421] a value that earlier checkpoints in PostgreSQL have in common is read once', async () => {
  const store = await newDatabase(server, broken)
  const late = pack(written([result('a', 'late')]))
  for (let index = 2; index < 40; index++) {
    const id = `${idAt(1)}-${String(index).padStart(3, '0')}`
    const before = index === 2 ? idAt(1) : `${idAt(1)}-${String(index - 1).padStart(3, '0')}`
    await store.sql(
      'insert into checkpoints select thread_id, checkpoint_ns, $1, $2, type, checkpoint from checkpoints where checkpoint_id = $2',
      [id, before],
    )
    await store.sql('insert into checkpoint_writes values ($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
      ...[thread, '', before, 'task', 0, 'messages', 'msgpack', late, ''],
    ])
  }
  expect(await readsDuring(() => see(store.address))).toBe(2)
  await store.close()
})

test('[SE422] a value in PostgreSQL that is longer than a string can be is one line, and does not end the process', async () => {
  const store = await newDatabase(server, broken)
  await store.sql("update checkpoints set parent_checkpoint_id = repeat('x', 540000000) where checkpoint_id = $1", [
    idAt(1),
  ])
  expect(complaint(await see(store.address))).toContain('a value in it has more than 512 MB')
  await store.close()
}, 120_000)
