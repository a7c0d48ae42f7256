import pg from 'pg'
import type { Journal, Thread } from '../../../src/journal/index.ts'
import { startServer } from '../../../test/journal/stores/postgres-server.ts'
import { type Course, interleave, LapTimer, type Racer } from '../../interleave.ts'
import { loadJournal } from '../../journal/antiphon.ts'
import { type BareStatement, bareInsert, bareStatement, makeBareRows } from '../../journal/bare-postgres.ts'
import { changesOf } from '../../journal/changes.ts'
import { play } from '../../journal/play.ts'
import { payloadPerTurn, scriptOf } from '../../journal/script.ts'
import { mustWrite, recordTape } from '../../journal/tape.ts'
import type { Choice } from '../../task.ts'
import { rowsOf, type TransitionRow } from './transition-sqlite.ts'

export interface PostgresOutcome {
  rows: TransitionRow[]
  /** What the tables of one conversation take on disk, as a multiple of what was said. */
  disk: number
}

/** The writes of a turn, as a multiple of one bare prepared statement each that makes the same changes. */
export async function run(_: unknown, { quick }: Choice): Promise<PostgresOutcome> {
  const server = await startServer()
  const pools: pg.Pool[] = []
  // Each racer has a connection of its own, as a journal has: a process of the server that works for several is warmer.
  const newPool = (): pg.Pool => {
    const pool = new pg.Pool({ connectionString: server.url(), max: 1 })
    // The server may go before the last connection has heard that it is closed.
    pool.on('error', () => {})
    pools.push(pool)
    return pool
  }
  try {
    const { openJournal } = await loadJournal()
    const open = (schema: string, prepare = true) => openJournal(server.url(), { schema, prepare })
    const journals = { bare: await open('public'), named: await open('named'), nameless: await open('nameless', false) }
    const talking = await open('talking')
    const course = { rounds: quick ? 60 : turns, budgetMs: quick ? 10_000 : 30_000 }
    const conversation = talking.thread('by the broker')
    const rows = await race(newPool, journals, conversation, course)
    const disk = await diskOf(newPool(), conversation)
    for (const journal of [talking, ...Object.values(journals)]) await journal.close()
    return { rows, disk }
  } finally {
    for (const pool of pools) await pool.end()
    await server.stop()
  }
}

/** So many, that the empty tables do not count. */
const turns = 200

async function race(
  newPool: () => pg.Pool,
  { bare, named, nameless }: Record<'bare' | 'named' | 'nameless', Journal>,
  conversation: Thread,
  course: Course,
): Promise<TransitionRow[]> {
  const tape = await recordTape(course.rounds)
  const changes = changesOf(tape)
  const names = new Map<string, string>()
  const nameOf = (text: string): string => names.get(text) ?? names.set(text, `bare_${names.size}`).get(text) ?? ''
  const sender = (pool: pg.Pool, isNamed = true) => {
    return ({ text, values }: BareStatement) => pool.query({ ...(isNamed && { name: nameOf(text) }), text, values })
  }
  const bareRacer = async (thread: string, isNamed = true) => {
    const { thread: key } = await bare.store.open(thread)
    const send = sender(newPool(), isNamed)
    return racer(
      round => changes[round],
      change => send(bareStatement(key, change)),
    )
  }
  const inserting = newPool()
  await makeBareRows(inserting)
  const storeRacer = async ({ store }: Journal) => {
    const { thread } = await store.open('by the store')
    return racer(
      round => tape[round],
      write => mustWrite(store, { ...write, thread }),
    )
  }
  const paces = await interleave(
    {
      bare: await bareRacer('bare'),
      again: await bareRacer('again'),
      insert: racer(
        round => changes[round].map((_, nth) => bareInsert(round * 100 + nth, scriptOf(round).input)),
        sender(inserting),
      ),
      'bare nameless': await bareRacer('nameless', false),
      store: await storeRacer(named),
      nameless: await storeRacer(nameless),
      broker: { run: round => play(conversation, round + 1, { reads: false }) },
    },
    course,
  )
  return rowsOf(paces)
}

function racer<Item>(itemsOf: (round: number) => Item[], work: (item: Item) => Promise<unknown>): Racer {
  let items: Item[] = []
  return {
    prepare(round) {
      items = itemsOf(round)
    },
    async run() {
      const timer = new LapTimer()
      for (const item of items) {
        await work(item)
        timer.lap()
      }
      return timer.laps
    },
  }
}

async function diskOf(pool: pg.Pool, conversation: Thread): Promise<number> {
  const { last } = await conversation.status()
  for (let turn = (last?.turn ?? 0) + 1; turn <= turns; turn++) await play(conversation, turn, { reads: false })
  const text = `SELECT sum(pg_total_relation_size(oid))::bigint AS bytes FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'talking'::regnamespace`
  const { rows } = await pool.query(text)
  return Number(rows[0].bytes) / (turns * payloadPerTurn)
}
