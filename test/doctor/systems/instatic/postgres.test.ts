import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressWithoutPassword } from '../../../../src/doctor/address.ts'
import { restore } from '../../../../src/doctor/backup/restore.ts'
import { instatic } from '../../../../src/doctor/systems/instatic/index.ts'
import { type Server, startServer } from '../../../journal/stores/postgres-server.ts'
import { inFolder } from '../../contract.ts'
import { refusals } from './accepted.ts'
import { corrupt } from './corrupt.ts'
import { generate, type Store } from './generate.ts'
import { complaint, heal, only, see } from './helpers.ts'
import type { Row } from './rows.ts'
import { chatsIn, postgresTables, statements } from './tables.ts'

let server: Server

beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

const seeds = Array.from({ length: 12 }, (_, seed) => 31_000 + seed)

describe('in PostgreSQL', () => {
  test('[DI10] healthy chats are left as they are, to the microsecond', async () => {
    for (const seed of seeds) {
      await inFolder(async folder => {
        const site = await newSite(generate(seed))
        const before = await site.dump()
        const visits = await heal(site.address, folder)
        expect({ seed, states: new Set(visits.map(stateOf)) }).toEqual({ seed, states: new Set(['healthy']) })
        expect(await site.dump()).toEqual(before)
        await site.close()
      })
    }
  })

  test('[DI10] corrupted chats are repaired in one transaction, only once, and can be restored', async () => {
    let broken = 0
    for (const seed of seeds) {
      await inFolder(async folder => {
        const site = await newSite(corrupt(seed, generate(seed)))
        const before = await site.dump()
        const visits = await heal(site.address, folder)
        const backups = visits.flatMap(one => (one.kind === 'conversation' && one.backup ? [one.backup] : []))
        broken += backups.length
        expect({ seed, refused: (await site.chats()).flatMap(rows => refusals(rows)) }).toEqual({ seed, refused: [] })
        const healed = await site.dump()
        const again = await heal(site.address, folder)
        expect({ seed, states: new Set(again.map(stateOf)) }).toEqual({ seed, states: new Set(['healthy']) })
        expect(await site.dump()).toEqual(healed)
        for (const backup of backups) await restore(backup, [instatic], site.address)
        expect(await site.dump(), `seed ${seed}`).toEqual(before)
        await site.close()
      })
    }
    expect(broken).toBeGreaterThan(seeds.length / 2)
  })

  test('[DI10] the rows that a restore replaces are backed up, and can be restored too', () =>
    inFolder(async folder => {
      const site = await newSite(broken)
      const before = await site.dump()
      const { backup } = only(await heal(site.address, folder))
      await site.sql('update ai_messages set completion_tokens = 812 where position = 0')
      const present = await site.dump()
      const { kept } = await restore(backup as string, [instatic], site.address)
      expect(await site.dump()).toEqual(before)
      expect((await restore(backup as string, [instatic], site.address)).kept).toBeUndefined()
      await restore(kept as string, [instatic], site.address)
      expect(await site.dump()).toEqual(present)
      await site.close()
    }))

  test('[SE420] a repair that a trigger keeps from the rows is an error, and nothing is written', () =>
    inFolder(async folder => {
      const site = await newSite(broken)
      await site.sql(`create function own() returns trigger language plpgsql as 'begin return null; end';
        create trigger own before insert or update or delete on ai_messages for each row execute function own()`)
      const before = await site.dump()
      expect(complaint(await heal(site.address, folder))).toContain('the rows read back differ from the repair')
      expect(await site.dump()).toEqual(before)
      await site.close()
    }))

  test('[DI10] without --fix nothing is changed', () =>
    inFolder(async () => {
      const site = await newSite(broken)
      const before = await site.dump()
      expect(only(await see(site.address)).examination).toMatchObject({ state: 'broken', counts: { orphans: 1 } })
      expect(await site.dump()).toEqual(before)
      await site.close()
    }))

  test('[DI11] a chat that was continued since is not restored', () =>
    inFolder(async folder => {
      const site = await newSite(broken)
      const { backup } = only(await heal(site.address, folder))
      await site.sql(
        "insert into ai_messages (id, conversation_id, position, role, content_json) values ('new', 'chat', 9, 'user', '[]')",
      )
      const before = await site.dump()
      await expect(restore(backup as string, [instatic], site.address)).rejects.toThrow(
        'chat chat has new messages since the repair, so nothing was restored',
      )
      expect(await site.dump()).toEqual(before)
      await site.close()
    }))

  test('[DI11] a chat is at work while a row is fresh by the clock of the server', () =>
    inFolder(async folder => {
      const site = await newSite(broken)
      await site.sql("update ai_messages set created_at = now() - interval '4 minutes' where position = 1")
      expect(only(await heal(site.address, folder)).examination.state).toBe('busy')
      await site.sql("update ai_messages set created_at = now() - interval '6 minutes' where position = 1")
      expect(only(await heal(site.address, folder)).backup).toBeDefined()
      await site.close()
    }))

  test('[DI11] while another program is connected with its name, a chat is left alone, unless --force is given', () =>
    inFolder(async folder => {
      const site = await newSite(broken)
      const before = await site.dump()
      const program = new pg.Client({ connectionString: site.address, application_name: 'instatic' })
      await program.connect()
      const left = only(await heal(site.address, folder))
      expect(left.examination).toMatchObject({ state: 'busy', notes: [expect.stringContaining('instatic')] })
      expect(left.failure?.message).toContain('another program is connected to the database')
      expect(await site.dump()).toEqual(before)
      const forced = await see(site.address, { fix: true, force: true, backups: join(folder, '..', 'backups') })
      expect(only(forced).backup).toBeDefined()
      await program.end()
      await site.close()
    }))

  test('[DI11] while another process writes to it, it is left alone with one clear line', () =>
    inFolder(async folder => {
      const site = await newSite(broken)
      await site.sql("begin; update ai_messages set tool_name = 'other'")
      expect(complaint(await heal(site.address, folder))).toBe(
        `${addressWithoutPassword(site.address)}: it is being written to, so it was left as it is`,
      )
      await site.sql('rollback')
      expect((await site.chats())[0]).toHaveLength(3)
      await site.close()
    }))

  test('[DI11] what changed between the look and the change is left alone', () =>
    inFolder(async () => {
      const site = await newSite(broken)
      const store = await instatic.open(site.address, { now: Date.now() })
      for await (const chat of store.conversations()) {
        const { storeRepair } = await chat.examine()
        await site.sql("update ai_messages set content_json = '[]' where position = 2")
        await expect(storeRepair?.apply()).rejects.toThrow(
          'chat chat changed during the repair, so nothing was written',
        )
      }
      await store.close()
      expect((await site.chats())[0]).toHaveLength(3)
      await site.close()
    }))

  test.each([
    ['fails', "raise exception 'no more room'", 'SQLSTATE P0001'],
    ['is cut off', 'perform pg_terminate_backend(pg_backend_pid())', 'the server is shutting down'],
  ])('[DI11] a change that %s in the middle leaves the rows as they were', (_, trouble, reason) =>
    inFolder(async folder => {
      const site = await newSite(broken)
      await site.sql(`create function trouble() returns trigger language plpgsql as $$ begin ${trouble}; return new; end $$;
        create trigger trouble after delete on ai_messages for each row execute function trouble()`)
      const before = await site.dump()
      expect(complaint(await heal(site.address, folder))).toContain(reason)
      expect(await site.dump()).toEqual(before)
      await site.close()
    }),
  )

  test.each(['lock table', 'delete from', 'insert into', 'commit'])(
    '[DI11] killed when it has sent "%s", the old or the new rows are there, and the next repair finishes',
    words =>
      inFolder(async folder => {
        const [site, other] = [await newSite(broken), await newSite(broken)]
        const before = await site.dump()
        await heal(other.address, folder)
        const healed = await other.dump()
        const child = [join(import.meta.dirname, 'kill-child.ts'), site.address, folder, words]
        expect(spawnSync(process.execPath, child, { encoding: 'utf8' })).toMatchObject({
          signal: 'SIGKILL',
          stderr: '',
        })
        expect(words === 'commit' ? [before, healed] : [before]).toContainEqual(await site.dump())
        await heal(site.address, folder)
        expect(await site.dump()).toEqual(healed)
        for (const one of [site, other]) await one.close()
      }),
  )

  test.each<[string, () => string, string]>([
    ['no server', () => server.url(1), 'no server is there'],
    ['a wrong password', () => server.url(server.port, 'hunter2'), 'the password is wrong'],
    ['no tables', () => server.url(), 'it has no chats of Instatic'],
  ])('[DI12] %s: one clear line, without the password', async (_, address, reason) => {
    const said = complaint(await see(address()))
    expect(said).toBe(`${addressWithoutPassword(address())}: ${reason}`)
    expect(said).not.toMatch(/hunter2|:[^/@]+@/)
  })

  test('[DI12] a backup that names no password finds it in the environment', () =>
    inFolder(async folder => {
      const site = await newSite(broken)
      const before = await site.dump()
      const { backup } = only(await heal(site.address, folder))
      const list = join(backup as string, 'backup.json')
      writeFileSync(
        list,
        JSON.stringify({ ...JSON.parse(readFileSync(list, 'utf8')), path: addressWithoutPassword(site.address) }),
      )
      process.env.DATABASE_URL = site.address
      try {
        await restore(backup as string, [instatic])
      } finally {
        delete process.env.DATABASE_URL
      }
      expect(await site.dump()).toEqual(before)
      await site.close()
    }))
})

const stateOf = (one: Awaited<ReturnType<typeof see>>[number]): string =>
  one.kind === 'conversation' ? (one.failure?.message ?? one.examination.state) : one.kind

/** One chat with a result that answers nothing. */
const broken: Store = {
  chats: [
    {
      id: 'chat',
      title: 'A chat',
      provider: 'openai',
      rows: ['user', 'tool', 'user'].map((role, position) => ({
        id: `r${position}`,
        conversation_id: 'chat',
        position,
        role,
        content_json: role === 'tool' ? '[{"kind":"toolResult","ok":true}]' : '[{"kind":"text","text":"hi"}]',
        tool_call_id: role === 'tool' ? 'lost' : null,
        tool_name: role === 'tool' ? 'read_document' : null,
        prompt_tokens: 0,
        completion_tokens: 0,
        cost_usd: 0.0076,
        created_at: '2026-06-01T09:00:00.123456Z',
      })),
    },
  ],
}

let sites = 0

/** The database of a site, in a separate schema. */
async function newSite(store: Store) {
  const schema = `site_${process.pid}_${sites++}`
  const address = `${server.url()}?options=${encodeURIComponent(`-c search_path=${schema}`)}`
  const client = new pg.Client({ connectionString: address, application_name: 'antiphon' })
  await client.connect()
  const sql = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
    (await client.query(text, values.length > 0 ? values : undefined)).rows
  await sql(`create schema ${schema}; ${postgresTables()}`)
  await sql('begin')
  for (const [text, values] of statements(store)) await sql(text, values)
  await sql('commit')
  const dump = () => sql('select m::text from ai_messages m order by conversation_id, position')
  const chats = async (): Promise<Row[][]> => {
    const rows = (await sql('select * from ai_messages order by conversation_id, position')) as unknown as Row[]
    return [...chatsIn({ ai_messages: rows }).values()]
  }
  return { address, sql, dump, chats, close: () => client.end() }
}
