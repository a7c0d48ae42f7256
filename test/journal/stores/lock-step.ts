import fc from 'fast-check'
import { expect } from 'vitest'
import { AntiphonError } from '../../../src/core/errors.ts'
import type { CallPlace, EntryData } from '../../../src/journal/entry.ts'
import { MemoryStore } from '../../../src/journal/stores/memory.ts'
import type { Store, StoredThreadState, ThreadRow, Write, WriteResult } from '../../../src/journal/stores/store.ts'
import { admit, endTurn, respond, settle, start, submit } from '../sample-entries.ts'

/** Random questions to a store and to the memory, in lock step: they must give the same answers, but for times. */
export async function checkLockStep(store: Store, runs: number): Promise<void> {
  const heard = new Set<string>()
  let run = 0
  const property = fc.asyncProperty(
    fc.array(question, { minLength: 10, maxLength: 80, size: 'max' }),
    async questions => {
      const pair = await Pair.open(store, `run ${run++}`, heard)
      for (const asked of questions) await pair.ask(asked)
      await pair.compare()
    },
  )
  // A few runs may miss a rare answer by chance.
  for (let round = 0; round < 8 && everyAnswer.some(answer => !heard.has(answer)); round++)
    await fc.assert(property, { numRuns: runs })
  expect([...heard].toSorted(), 'every answer must have been heard').toEqual(everyAnswer)
}

/** A question in terms of how the thread is when it is asked, so that most of them hit something. */
type Question =
  | { readonly ask: 'write'; readonly thread: number; readonly write: WriteSketch }
  | { readonly ask: 'renew'; readonly thread: number; readonly epoch: 'right' | 'old'; readonly ms: number }
  | { readonly ask: 'read'; readonly thread: number; readonly after: number; readonly limit: number }
  | { readonly ask: 'erase'; readonly thread: number; readonly idleSince: number | undefined; readonly limit: number }
  | { readonly ask: 'due' }
  | { readonly ask: 'list' }

interface WriteSketch {
  readonly doing: Doing
  readonly head: 'right' | 'old' | 'any'
  readonly epoch: 'right' | 'old' | 'any'
  readonly leaseMs: number | undefined
  readonly release: true | undefined
  readonly key: string | undefined
  readonly onlyIf: StoredThreadState | undefined
  readonly state: StoredThreadState | undefined
  readonly dueAt: Write['dueAt']
}

/** What is done, and to which of the calls that were ever made. */
interface Doing {
  readonly what: 'nothing' | 'submit' | 'respond' | 'start' | 'settle' | 'speak' | 'end'
  readonly calls: readonly number[]
}

// A lease of no time has ended at once and the others outlast the test, so that no answer hangs on a clock.
const leaseMs = fc.constantFrom(0, 600_000)
/** Long ago, and never. */
const fixedTimes = [1_000, 2_000, 1e14]
const absent = fc.constant(undefined)
const seldom = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: absent, weight: 4 }, { arbitrary: value, weight: 1 })
const aim = fc.constantFrom('right', 'right', 'right', 'right', 'right', 'right', 'old', 'any') as fc.Arbitrary<
  'right' | 'old' | 'any'
>

const write: fc.Arbitrary<WriteSketch> = fc.record({
  doing: fc.record({
    what: fc.constantFrom(
      'nothing',
      'submit',
      'respond',
      'respond',
      'start',
      'start',
      'start',
      'settle',
      'speak',
      'end',
    ),
    calls: fc.array(fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 7), { maxLength: 3 }),
  }),
  ...{
    head: aim,
    epoch: aim,
    leaseMs: seldom(leaseMs),
    release: seldom(fc.constant(true)),
    onlyIf: seldom(fc.constantFrom('idle', 'idle', 'parked')),
  },
  ...{
    key: seldom(fc.constantFrom('a', 'b', 'c')),
    state: seldom(fc.constantFrom('idle', 'idle', 'running', 'parked')),
  },
  dueAt: seldom(fc.constantFrom<Write['dueAt']>('now', null, ...fixedTimes)),
})

const thread = fc.nat(2)
/** Before everything, or not given. */
const idleSince = seldom(fc.constant(1_000))
const question: fc.Arbitrary<Question> = fc.oneof(
  { arbitrary: fc.record({ ask: fc.constant('write'), thread, write }), weight: 24 },
  {
    arbitrary: fc.record({ ask: fc.constant('renew'), thread, epoch: fc.constantFrom('right', 'old'), ms: leaseMs }),
    weight: 2,
  },
  { arbitrary: fc.record({ ask: fc.constant('read'), thread, after: fc.nat(20), limit: fc.nat(9) }), weight: 2 },
  { arbitrary: fc.record({ ask: fc.constantFrom('due', 'list') }), weight: 2 },
  // So seldom that threads have a history, and often enough that some are erased to the end.
  {
    arbitrary: fc.record({ ask: fc.constant('erase'), thread, idleSince, limit: fc.integer({ min: 1, max: 9 }) }),
    weight: 1,
  },
) as fc.Arbitrary<Question>

const everyAnswer: readonly string[] = [
  ...['busy', 'fenced', 'known', 'leased', 'moved', 'ok', 'open', 'settled', 'started', 'thread-erased'],
]

interface Keys {
  readonly here: number
  readonly there: number
}

/** Three threads of the store, and the same three in a memory. */
class Pair {
  readonly #store: Store
  readonly #memory: MemoryStore
  readonly #keys: readonly Keys[]
  /** Every answer to a write that there was. */
  readonly #heard: Set<string>
  /** The calls that were ever made, thread by thread. */
  readonly #calls: CallPlace[][] = [[], [], []]

  static async open(store: Store, run: string, heard: Set<string>): Promise<Pair> {
    const memory = new MemoryStore()
    const rows: ThreadRow[] = []
    for (const name of ['a', 'b', 'c'].map(letter => `${run} ${letter}`)) rows.push(await store.open(name))
    const keys: Keys[] = []
    // The memory has them in the order of their keys, as the store has.
    for (const { thread, name } of rows.sort((one, other) => one.thread - other.thread))
      keys.push({ here: thread, there: (await memory.open(name)).thread })
    return new Pair(store, memory, keys, heard)
  }

  private constructor(store: Store, memory: MemoryStore, keys: readonly Keys[], heard: Set<string>) {
    this.#store = store
    this.#memory = memory
    this.#keys = keys
    this.#heard = heard
  }

  async ask(question: Question): Promise<void> {
    if (question.ask === 'erase') return this.#erase(question)
    if (question.ask === 'write') return this.#write(question.thread, question.write)
    if (question.ask === 'due') return this.#same(this.#dueHere(), this.#due(this.#memory))
    if (question.ask === 'list') return this.#compareRows()
    const { here, there } = this.#keys[question.thread]
    if (question.ask === 'read') {
      const { after, limit } = question
      return this.#same(
        timeless(this.#store.read(here, after, limit)),
        timeless(this.#memory.read(there, after, limit)),
      )
    }
    const epoch = (await this.#memory.get(there)).epoch - (question.epoch === 'old' ? 1 : 0)
    return this.#same(this.#store.renew(here, epoch, question.ms), this.#memory.renew(there, epoch, question.ms))
  }

  async #erase({ thread, idleSince, limit }: Extract<Question, { ask: 'erase' }>): Promise<void> {
    const { here, there } = this.#keys[thread]
    const options = { limit, ...(idleSince === undefined ? {} : { idleSince }) }
    return this.#same(this.#store.erase(here, options), this.#memory.erase(there, options))
  }

  /** Everything that is left in the end. */
  async compare(): Promise<void> {
    await this.#compareRows()
    for (const { here, there } of this.#keys)
      await this.#same(timeless(this.#store.read(here, 0)), timeless(this.#memory.read(there, 0)))
  }

  async #write(index: number, sketch: WriteSketch): Promise<void> {
    const { here, there } = this.#keys[index]
    const write = drawn(sketch, await this.#memory.get(there), this.#calls[index])
    const written = await answerOf(this.#memory.write({ ...write, thread: there }))
    expect(await this.#answer(await answerOf(this.#store.write({ ...write, thread: here })), this.#store)).toEqual(
      await this.#answer(written, this.#memory),
    )
    this.#heard.add(typeof written === 'string' ? written : written.ok ? 'ok' : written.why)
    if (typeof written === 'object' && written.ok) this.#remember(index, write.entries, written.head)
  }

  #remember(index: number, entries: readonly EntryData[], head: number): void {
    for (const [offset, entry] of entries.entries())
      if (entry.kind === 'response-record')
        for (const place of entry.calls.keys())
          this.#calls[index].push({ step: head - entries.length + 1 + offset, index: place })
  }

  async #answer(written: WriteResult | string, store: Store): Promise<unknown> {
    if (typeof written === 'string') return written
    if (written.ok) return { ok: true, head: written.head, epoch: written.epoch }
    return { ...written, row: shown(written.row, await store.now()) }
  }

  async #compareRows(): Promise<void> {
    const from = (keys: number[]) => Math.min(...keys) - 1
    const [here, there] = [this.#keys.map(({ here }) => here), this.#keys.map(({ there }) => there)]
    const [nowHere, nowThere] = [await this.#store.now(), await this.#memory.now()]
    // In several databases others may have keys in between.
    const listed = await this.#store.list(from(here), Math.max(...here) - from(here))
    const rows = listed.filter(({ thread }) => here.includes(thread)).map(row => shown(row, nowHere))
    expect(rows).toEqual((await this.#memory.list(from(there), 3)).map(row => shown(row, nowThere)))
  }

  /** Those of this run alone, since others are there too. */
  async #dueHere(): Promise<string[]> {
    const names = await Promise.all(this.#keys.map(async ({ here }) => (await this.#store.get(here)).name))
    return (await this.#due(this.#store)).filter(name => names.includes(name))
  }

  /** In no order: what became due at `now` hangs on the clock. */
  async #due(store: Store): Promise<string[]> {
    return (await store.due(10_000)).map(({ name }) => name).toSorted()
  }

  async #same(here: Promise<unknown>, there: Promise<unknown>): Promise<void> {
    const [one, other] = await Promise.all([answerOf(here), answerOf(there)])
    expect(one).toEqual(other)
  }
}

/** What a question is answered with, or the code of the error. */
const answerOf = async <T>(answer: Promise<T>): Promise<T | string> => {
  try {
    return await answer
  } catch (error) {
    if (!AntiphonError.is(error)) throw error
    return error.code
  }
}

function drawn(sketch: WriteSketch, row: ThreadRow, calls: readonly CallPlace[]): Omit<Write, 'thread'> {
  const { leaseMs, key, onlyIf, state, dueAt } = sketch
  const aimed = (aim: WriteSketch['head'], value: number) => (aim === 'right' ? value : Math.max(0, value - 1))
  return {
    entries: [...data(sketch.doing, calls), ...(key === undefined ? [] : [submit('it', key)])],
    ...(sketch.head !== 'any' && { head: aimed(sketch.head, row.head) }),
    ...(sketch.epoch !== 'any' && { epoch: aimed(sketch.epoch, row.epoch) }),
    ...(leaseMs !== undefined && { lease: { owner: `owner ${leaseMs}`, ms: leaseMs } }),
    ...(sketch.release && { release: true }),
    ...(key !== undefined && { input: { key, digest: `digest of ${row.head}` } }),
    ...(onlyIf && { onlyIf }),
    ...(state && { state }),
    ...(dueAt !== undefined && { dueAt }),
  }
}

/** The calls are those named by number, the last ones made being named most often. Seven is a call that nobody made. */
function data({ what, calls }: Doing, made: readonly CallPlace[]): EntryData[] {
  const places = calls.map(number => made.at(number < 7 ? -1 - (number % made.length) : made.length) ?? nobodys)
  const starts = places.map(({ step, index }) => start(step, index))
  const settles = places.map(({ step, index }) => settle(step, index))
  switch (what) {
    case 'nothing':
      return []
    case 'submit':
      return calls.map(number => submit(number))
    case 'respond':
      return [respond(calls.length, ...calls.flatMap((number, index) => (number === 3 ? [index] : [])))]
    case 'start':
      return starts
    case 'settle':
      return settles
    case 'speak':
      return [...settles, admit(1)]
    case 'end':
      return [...settles, endTurn]
  }
}

const nobodys: CallPlace = { step: 9_999, index: 0 }

/** A row without its keys, and of its times only what is the same by every clock. */
function shown({ thread: _, uid: __, createdAt: ___, updatedAt: ____, ...row }: ThreadRow, now: number): unknown {
  const dueAt = row.dueAt === undefined || fixedTimes.includes(row.dueAt) ? row.dueAt : 'now'
  return { ...row, leasedUntil: row.leasedUntil > now, dueAt }
}

const timeless = async (entries: Promise<readonly { readonly at: number }[]>): Promise<unknown[]> =>
  (await entries).map(({ at: _, ...entry }) => entry)
