import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type DoctorResult, examineStores } from '../../../../../src/doctor/doctor.ts'
import { langgraph } from '../../../../../src/doctor/systems/langgraph/index.ts'
import type { Server } from '../../../../journal/stores/postgres-server.ts'
import { Random } from '../../../../laws/random.ts'
import type { ChatMessage } from '../../../chat/chat.ts'
import { type Ext, pack, unpack } from './msgpack.ts'
import { chatOf, messageOf } from './subject.ts'

const sampleOf = (name: string): string => readFileSync(join(import.meta.dirname, 'postgres', `${name}.sql`), 'utf8')

/** The tables as the saver makes them. */
const tables = sampleOf('healthy')
  .split(';\n')
  .filter(statement => statement.includes('CREATE TABLE'))
  .map(statement => statement.replace(/^BEGIN;/, ''))
  .join(';\n')

type Fields = Readonly<Record<string, unknown>>

/** A checkpoint: its messages as a chat, and what else its JSON has. */
export interface Step {
  readonly chat: readonly ChatMessage[]
  readonly more?: Fields
  readonly writes?: readonly WriteOf[]
}

/** A write of the task after a checkpoint. */
export interface WriteOf {
  readonly channel: string
  readonly value: unknown
  readonly task?: string
}

export const thread = 'thread-1'
export const idAt = (index: number): string => `1f0a7b3c-100${index}-6a10-8000-4b1e6a2c9d10`
const versionAt = (index: number): string => `${String(index + 2).padStart(32, '0')}.0.5`

/** The same message has the same id in every checkpoint. */
export const written = (chat: readonly ChatMessage[]): Ext[] =>
  chat.flatMap((one, index) => messageOf(new Random(index + 1), one))

let schemas = 0

/** A database of one saver, in a schema of its own. */
export async function newDatabase(server: Server, fill: (sql: Sql) => Promise<void>) {
  const schema = `saver_${process.pid}_${schemas++}`
  const address = `${server.url()}?options=${encodeURIComponent(`-c search_path=${schema}`)}`
  const client = new pg.Client({ connectionString: address, application_name: 'antiphon' })
  await client.connect()
  const sql: Sql = async (text, values) => (await client.query(text, values)).rows
  await sql(`create schema ${schema}`)
  await fill(sql)
  const dump = async () => {
    const rows = []
    for (const table of ['checkpoints', 'checkpoint_blobs', 'checkpoint_writes'])
      rows.push(...(await sql(`select t::text as row from ${table} t order by 1`)))
    return rows
  }
  return { address, sql, dump, chat: () => newestChat(sql), close: () => client.end() }
}

export type Sql = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>

export const ofSample = (name: string) => async (sql: Sql) => void (await sql(sampleOf(name)))

/** A thread with these checkpoints, the last one the newest. */
export const ofSteps =
  (...steps: readonly Step[]) =>
  async (sql: Sql): Promise<void> => {
    await sql(tables)
    for (const [index, { chat, more = {}, writes = [] }] of steps.entries()) {
      const checkpoint = {
        ...{ v: 4, ts: '2026-08-12T10:15:00.000000+00:00', id: idAt(index) },
        channel_values: { score: 1.5 },
        channel_versions: { messages: versionAt(index) },
        versions_seen: { __input__: {} },
        ...more,
      }
      const parent = index > 0 ? idAt(index - 1) : null
      await sql('insert into checkpoints values ($1, $2, $3, $4, null, $5, $6)', [
        ...[thread, '', idAt(index), parent],
        ...[JSON.stringify(checkpoint), '{"step": 1}'],
      ])
      await sql('insert into checkpoint_blobs values ($1, $2, $3, $4, $5, $6)', [
        ...[thread, '', 'messages', versionAt(index), 'msgpack', pack(written(chat))],
      ])
      for (const [place, { channel, value, task = 'task' }] of writes.entries())
        await sql('insert into checkpoint_writes values ($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
          ...[thread, '', idAt(index), task, place, channel, 'msgpack', pack(value), ''],
        ])
    }
  }

/** The messages as the saver joins them for the newest checkpoint. */
async function newestChat(sql: Sql): Promise<ChatMessage[]> {
  const [row] = await sql(`select (select bl.blob from jsonb_each_text(checkpoint -> 'channel_versions')
      inner join checkpoint_blobs bl on bl.thread_id = checkpoints.thread_id and bl.checkpoint_ns = checkpoints.checkpoint_ns
        and bl.channel = jsonb_each_text.key and bl.version = jsonb_each_text.value where bl.channel = 'messages') as blob
    from checkpoints where checkpoint_ns = '' order by checkpoint_id desc limit 1`)
  return chatOf(unpack(row.blob as Buffer) as Ext[])
}

/** Examines or repairs a database, and returns all results. */
export async function see(
  path: string,
  options: { fix?: boolean; force?: boolean; backups?: string } = {},
): Promise<DoctorResult[]> {
  const visits: DoctorResult[] = []
  for await (const one of examineStores([path], { systems: [langgraph], ...options })) visits.push(one)
  return visits
}

export const heal = (path: string, folder: string, force = false): Promise<DoctorResult[]> =>
  see(path, { fix: true, force, backups: join(folder, '..', 'backups') })
