import { isDeepStrictEqual } from 'node:util'
import { parentOf } from '../../src/journal/agents/child-name.ts'
import type { Entry } from '../../src/journal/entry.ts'
import { isFullyErased } from '../../src/journal/erasure/tombstone.ts'
import { callId, evolve, initialState, type ThreadState } from '../../src/journal/fold.ts'
import { Renderer } from '../../src/journal/render/render.ts'
import { readEntries, readThreads } from '../../src/journal/stores/read-all.ts'
import type { ThreadRow } from '../../src/journal/stores/store.ts'
import { lostAcknowledgements } from '../journal/invariants/acknowledged.ts'
import { wrongAgents } from '../journal/invariants/agents.ts'
import { Effects, wrongEffects } from '../journal/invariants/effects.ts'
import { LogLaws } from '../journal/invariants/log-laws.ts'
import { foreignWriters } from '../journal/invariants/owners.ts'
import { refusalOf, refusedPrefixes } from '../journal/invariants/prefixes.ts'
import { misplacedWords } from '../journal/invariants/words.ts'
import type { Server } from '../journal/stores/postgres-server.ts'
import { linesOf, readLedger } from '../kill/ledger.ts'
import { Random } from '../laws/random.ts'
import { readers } from '../strict/readers.ts'
import { countOutcomes } from './count-outcomes.ts'
import type { Counters } from './counters.ts'
import { readPages } from './operator.ts'
import { Responses } from './responses.ts'
import { type Dialect, dialects, isAgentName, schemaOf, type ToolName } from './settings.ts'
import { habits } from './tools.ts'
import { mayExpire, type Promises, type World } from './world.ts'

/** What is wrong with the threads, by what it is about. */
export interface Wrongs {
  /** Calls without exactly one outcome, and whatever else no log may say. */
  readonly settlements: string[]
  /** Tools that ran too often, without leave, or otherwise than the log has it. */
  readonly effects: string[]
  /** Inputs that are lost, or that nobody answered without a reason. */
  readonly inputs: string[]
  /** What somebody was told, and is not so. */
  readonly promises: string[]
  /** What a strict provider refuses, and words that it reads too often or not at all. */
  readonly drawings: string[]
  /** Agents that were started twice, that outlived their thread, or whose call has no result. */
  readonly agents: string[]
  /** What is left of threads that were erased. */
  readonly erasures: string[]
  /** Answers that no model gave, or that are recorded twice, and turns that failed too early. */
  readonly responses: string[]
  /** Titles, labels and data that are not what was told, and threads that a list should have or not. */
  readonly lists: string[]
}

interface ThreadEvidence {
  readonly row: ThreadRow
  readonly entries: readonly Entry[]
  readonly state: ThreadState
  readonly effects: Effects
  readonly promises: Promises
  /** Every beginning is drawn, and not only the whole. */
  readonly isThorough: boolean
}

/** Judges every thread of every journal against what is known from elsewhere. */
export async function judge(world: World, ledger: string, sql: Server['sql']): Promise<Wrongs> {
  const random = new Random(world.seed * 11_003)
  const known = effectsIn(ledger, world.counters)
  const all: Wrongs = {
    settlements: [],
    effects: [],
    inputs: [],
    promises: [],
    drawings: [],
    agents: [],
    erasures: [],
    responses: [],
    lists: [],
  }
  const missing = new Map(world.promised)
  const responses = new Responses(world.counters)
  for (const dialect of dialects) {
    const { store } = world.journal(dialect)
    const threads: Parameters<typeof wrongAgents>[0][number][] = []
    for await (const row of readThreads(store, { children: true })) {
      const entries: Entry[] = []
      const state = initialState(row.uid)
      for await (const entry of readEntries(store, row)) {
        entries.push(entry)
        evolve(state, entry)
      }
      threads.push({ name: row.name, entries, state, isErased: false })
      responses.take(dialect, row.name, entries)
      if (parentOf(row.name)) world.counters.count('agent threads')
      const isThorough = random.chance(0.1)
      world.counters.count('threads')
      if (isThorough) world.counters.count('threads judged at every beginning')
      const effects = known.get(row.uid) ?? new Effects()
      known.delete(row.uid)
      const promises = world.promises(dialect, row.name)
      missing.delete(`${dialect}, ${row.name}`)
      const wrongs = wrongsOf({ row, entries, state, effects, promises, isThorough }, world.counters)
      for (const about of Object.keys(wrongs) as (keyof typeof wrongs)[])
        all[about].push(...wrongs[about].map(problem => `${dialect}, ${row.name}: ${problem}`))
    }
    for (const { uid, name } of await tombstones(sql, dialect)) {
      world.counters.count('tombstones')
      all.effects.push(...repeated(known.get(uid)).map(problem => `${dialect}, ${name}: ${problem}`))
      known.delete(uid)
    }
    all.lists.push(...(await wrongLists(world, dialect, threads)))
    const expired = [...missing]
      .filter(([, promised]) => mayExpire(promised, world.expiredAt))
      .map(([thread]) => thread)
    for (const thread of [...world.erased, ...expired.filter(name => !name.includes('/agent:'))]) {
      const name = thread.slice(`${dialect}, `.length)
      if (!thread.startsWith(`${dialect}, `)) continue
      const row = await store.find(name)
      if (!row && expired.includes(thread)) continue
      if (!row || !isFullyErased(row)) all.erasures.push(`${thread} was erased, and is there`)
      threads.push({ name, entries: [], state: initialState(''), isErased: true })
      for (const promised of missing.keys())
        if (promised === thread || promised.startsWith(`${thread}/agent:`)) missing.delete(promised)
    }
    all.agents.push(...wrongAgents(threads).map(problem => `${dialect}, ${problem}`))
    all.erasures.push(...(await remains(sql, dialect)))
  }
  responses.end()
  all.responses.push(...responses.problems)
  for (const [thread, { acknowledged, taken }] of missing)
    if (acknowledged.receipts.length + taken.size > 0) all.promises.push(`${thread} is not there`)
  for (const [uid, { executions }] of known)
    all.effects.push(`${executions.length} tools ran for ${uid}, and there is no such thread`)
  return all
}

const tombstones = async (sql: Server['sql'], dialect: Dialect) =>
  (await sql(`SELECT uid, name FROM ${schemaOf(dialect)}.antiphon_thread WHERE state = 'erased'`)) as {
    readonly uid: string
    readonly name: string
  }[]

/** Rows of threads that are erased. */
async function remains(sql: Server['sql'], dialect: Dialect): Promise<string[]> {
  const schema = schemaOf(dialect)
  const tables = ['entry', 'input', 'open_call'].map(table => `${schema}.antiphon_${table}`)
  const found = await Promise.all(
    tables.map(async table => {
      const [{ count }] = await sql(
        `SELECT count(*) FROM ${table} JOIN ${schema}.antiphon_thread USING (thread) WHERE state = 'erased'`,
      )
      return Number(count) === 0 ? [] : [`${count} rows of erased threads are in ${table}`]
    }),
  )
  return found.flat()
}

/** The calls of an erased thread are not known any more, but that a tool ran twice can be seen. */
const repeated = ({ executions }: Effects = new Effects()): string[] =>
  executions.flatMap(({ key, tool, habits }, index) =>
    habits.isOnce && executions.findIndex(other => other.key === key) < index ? [`${tool} ran a second time`] : [],
  )

const judges = readers.filter(({ dialect, format }) =>
  [
    ...['openai openai-chat', 'openai-responses openai-responses', 'anthropic anthropic'],
    ...['gemini gemini', 'mistral openai-chat'],
  ].includes(`${dialect} ${format}`),
)

/** The effects of tools, by the thread that they were for. */
function effectsIn(ledger: string, counters: Counters): Map<string, Effects> {
  const effects = new Map<string, Effects>()
  const lines = readLedger(ledger)
  for (const { isDone } of linesOf(lines, 'probe')) counters.count(`probed ${isDone ? 'done' : 'not done'}`)
  for (const { key, tool, process, input } of linesOf(lines, 'effect')) {
    const uid = key.replace(/-\d+-\d+$/, '')
    const known = effects.get(uid) ?? new Effects()
    effects.set(uid, known)
    counters.count('effects')
    if (known.timesEntered(key) > 0) counters.count(`effects again ${tool}`)
    known.enter(key, tool, habits[tool as ToolName], String(process), input)
  }
  return effects
}

function wrongsOf(
  { row, entries, state, effects, promises, isThorough }: ThreadEvidence,
  counters: Counters,
): Pick<Wrongs, 'settlements' | 'effects' | 'inputs' | 'promises' | 'drawings'> {
  const { name, uid } = row
  const laws = new LogLaws()
  for (const entry of entries) laws.take(entry)
  laws.end()
  // Which process wrote what died with it; that an owner's entries have the owner's epoch is what is left to see.
  const writers = entries.map(({ epoch }) => String(epoch))
  const open = [...state.calls.values()].filter(({ outcome }) => outcome === undefined)
  const keys = new Set(entries.flatMap(entry => (entry.kind === 'input-submit' ? [entry.key] : [])))
  const lost = [...promises.taken].filter(id => !keys.has(id))
  const refused = isThorough
    ? refusedPrefixes(uid, entries, judges)
    : judges.flatMap(reader => refusalOf(new Renderer(reader, state).render(), reader) ?? [])
  return {
    settlements: [
      ...[...laws.problems, ...foreignWriters(entries, writers), ...unrest(row)],
      ...open.map(({ id, name }) => `${name} (${id}) has no outcome in the fold`),
    ],
    effects: [...wrongEffects(uid, entries, effects), ...untrueOutcomes(uid, entries, effects)],
    inputs: [
      ...countOutcomes(entries, counters),
      ...lost.map(id => `the message ${id} was taken, and it is not there`),
    ],
    promises: [
      ...lostAcknowledgements(name, uid, entries, promises.acknowledged),
      ...strayed(uid, promises),
      ...lostForks(entries, promises),
    ],
    drawings: [...refused, ...misplacedWords(uid, entries, laws.said, judges)],
  }
}

/** What was told about calls that the thread does not have, and that is therefore compared with nothing. */
const strayed = (uid: string, { acknowledged: { verdicts, settlements } }: Promises): string[] =>
  [...verdicts, ...settlements]
    .filter(({ call }) => !call.startsWith(`${uid}-`))
    .map(({ call }) => `${call} was decided or settled, and it is no call of this thread`)

const lostForks = (entries: readonly Entry[], { forks }: Promises): string[] =>
  forks
    .filter(
      ({ branch, at }) =>
        !entries.some(entry => entry.kind === 'branch-fork' && entry.branch === branch && entry.after === at),
    )
    .map(({ branch, at }) => `branch ${branch} was said to begin after ${at}, and it does not`)

/** What lists and rows say of threads that are at rest, against what their users and their entries say. */
async function wrongLists(
  world: World,
  dialect: Dialect,
  threads: readonly { readonly name: string; readonly entries: readonly Entry[] }[],
): Promise<string[]> {
  const known = threads
    .filter(({ name }) => !parentOf(name))
    .map(({ name, entries }) => {
      const isFailed = entries.findLast(entry => entry.kind === 'turn-end')?.status === 'failed'
      const { metadata } = world.promises(dialect, name)
      return { name, status: isFailed ? 'failed' : 'idle', labels: metadata.labels, metadata }
    })
  const problems: string[] = []
  for (const status of ['idle', 'failed', 'running', 'parked', undefined] as const)
    for (const label of ['red', 'blue', undefined]) {
      const order = status === 'failed' ? 'newest' : 'oldest'
      const rows = await readPages(world, dialect, { ...(label && { label }), ...(status && { status }), order }, 3)
      const found = order === 'newest' ? rows.reverse() : rows
      const expected = known.filter(one => (!label || one.labels.includes(label)) && (!status || one.status === status))
      world.counters.count(`listed ${status ?? 'all'}`, found.length)
      const [told, asked] = [found, expected].map(list => list.map(({ name }) => name).join(', '))
      if (told !== asked) problems.push(`${dialect}: ${status} threads with ${label} are ${asked}\nand not ${told}`)
    }
  for (const { name, metadata } of known) {
    const told = await world.thread(dialect, name).metadata()
    if (!isDeepStrictEqual(told, metadata))
      problems.push(`${dialect}, ${name} has ${JSON.stringify(told)}, and was given ${JSON.stringify(metadata)}`)
  }
  return problems
}

/** Results of tools that have not run, and those that are said never to have begun although they ran. */
function untrueOutcomes(uid: string, entries: readonly Entry[], effects: Effects): string[] {
  const names = new Map<string, string>()
  return entries.flatMap(entry => {
    if (entry.kind === 'response-record')
      for (const [index, { name }] of entry.calls.entries()) names.set(callId(uid, { step: entry.seq, index }), name)
    if (entry.kind !== 'call-settle') return []
    const id = callId(uid, entry.call)
    const name = names.get(id) ?? ''
    const times = effects.timesEntered(id)
    if (entry.outcome.state === 'not-started' && times > 0) return [`${name} ran, and is said not to have started`]
    const isOutside = name === 'ask' || name === 'browse' || isAgentName(name)
    return entry.outcome.status === 'done' && !isOutside && times === 0 ? [`${name} has a result and never ran`] : []
  })
}

/** What is left of a thread that has nothing to do any more. */
function unrest({ state, openCalls, dueAt, owner }: ThreadRow): string[] {
  const isAtRest = state === 'idle' && openCalls === 0 && dueAt === undefined && owner === undefined
  return isAtRest ? [] : [`it does not rest: ${JSON.stringify({ state, openCalls, dueAt, owner })}`]
}
