import { describe, expect, test } from 'vitest'
import type { BranchFork, Entry, EntryData, Outcome } from '../../src/journal/entry.ts'
import { LogLaws } from './invariants/log-laws.ts'
import { admit, endTurn, respond, settle, start, submit } from './sample-entries.ts'

const begin: EntryData = { kind: 'turn-start', turn: 1 }
const calling = [submit(), begin, admit(1), respond(2)]
const step = 4

const madeUp = (state: Outcome['state'], index = 0): EntryData => ({
  ...{ kind: 'call-settle', call: { step, index } },
  outcome: { status: 'made-up', ...(state && { state }), content: 'nothing' },
})
const late: EntryData = { kind: 'call-late', call: { step, index: 0 }, outcome: { status: 'done', content: 'seen' } }
const park: EntryData = { kind: 'call-park', call: { step, index: 0 }, why: 'approval', until: 2_000 }
const decide: EntryData = { kind: 'call-decide', call: { step, index: 0 }, approved: true }

const fork = (more: Partial<BranchFork> = {}): BranchFork => ({
  ...{ kind: 'branch-fork', branch: 2, from: 1, after: 0 },
  ...more,
})
const bound: EntryData = { kind: 'input-submit', content: 'hello', when: 'queue', branch: 2 }
const toBranch: EntryData = { kind: 'branch-switch', branch: 2 }

/** Logs that no journal may write, and what is said of them. */
const broken: readonly { name: string; log: readonly (EntryData & Partial<Entry>)[]; finds: RegExp }[] = [
  { name: 'a gap', log: [submit(), { ...submit(), seq: 3 }], finds: /follows 1/ },
  {
    name: 'an epoch that falls',
    log: [
      { ...submit(), epoch: 2 },
      { ...submit(), epoch: 1 },
    ],
    finds: /has epoch 1/,
  },
  { name: 'a key that comes twice', log: [submit('a', 'k'), submit('b', 'k')], finds: /has the key k/ },
  { name: 'input that nobody gave', log: [submit(), begin, admit(9)], finds: /says input 9, which nobody/ },
  { name: 'input that is said twice', log: [submit(), begin, admit(1), admit(1)], finds: /a second time/ },
  { name: 'input outside of a turn', log: [submit(), admit(1)], finds: /outside of a turn/ },
  { name: 'a turn in a turn', log: [begin, { ...begin, turn: 2 }], finds: /begins while turn 1 runs/ },
  { name: 'a turn that is left out', log: [{ ...begin, turn: 2 }], finds: /is turn 2 and should be 1/ },
  {
    name: 'a user in front of a result',
    log: [...calling, submit(), admit(5)],
    finds: /stands while 4.0, 4.1 is open/,
  },
  {
    name: 'a model in front of a result',
    log: [...calling, settle(step), respond()],
    finds: /stands while 4.1 is open/,
  },
  { name: 'an end in front of a result', log: [...calling, endTurn], finds: /stands while/ },
  { name: 'a response without a turn', log: [respond()], finds: /is of turn 1, which does not run/ },
  { name: 'two results', log: [...calling, settle(step), settle(step)], finds: /which is settled/ },
  { name: 'a result of nothing', log: [...calling, settle(7)], finds: /which nobody made/ },
  { name: 'a start after the result', log: [...calling, settle(step), start(step)], finds: /which is settled/ },
  { name: 'a second start', log: [...calling, start(step), start(step)], finds: /which is started/ },
  { name: 'a start without approval', log: [...calling, park, start(step)], finds: /waits for an outside result/ },
  { name: 'a second decision', log: [...calling, park, decide, decide], finds: /decides call 4.0 a second time/ },
  { name: 'a second park', log: [...calling, park, park], finds: /waits for an outside result/ },
  { name: 'a late result without a placeholder', log: [...calling, settle(step), late], finds: /has no placeholder/ },
  { name: 'a late result of a denied call', log: [...calling, park, madeUp('denied'), late], finds: /no placeholder/ },
  { name: 'two late results', log: [...calling, madeUp('not-started'), late, late], finds: /has no placeholder/ },
  { name: 'a lie: not started', log: [...calling, start(step), madeUp('not-started')], finds: /it is not-started/ },
  { name: 'a lie: interrupted', log: [...calling, madeUp('interrupted')], finds: /it is interrupted/ },
  { name: 'a lie: unknown', log: [...calling, madeUp('unknown')], finds: /it is unknown/ },
  { name: 'a lie: denied', log: [...calling, madeUp('denied')], finds: /it is denied/ },
  { name: 'a lie: expired', log: [...calling, park, madeUp('expired')], finds: /it is expired/ },
  { name: 'a settled call that runs', log: [...calling, madeUp('running')], finds: /it is running/ },
  { name: 'a note that is none', log: [{ kind: 'note-tell', notes: [1] }], finds: /tells 1, which is no note/ },
  {
    name: 'an interrupted turn that is done',
    log: [begin, { kind: 'turn-interrupt', turn: 1 }, endTurn],
    finds: /says done, and it was interrupted/,
  },
  {
    name: 'a turn that is interrupted by nobody',
    log: [begin, { kind: 'turn-end', turn: 1, status: 'interrupted' }],
    finds: /says interrupted, and it was not/,
  },
  { name: 'a failure without an error', log: [begin, { kind: 'turn-end', turn: 1, status: 'failed' }], finds: /error/ },
  { name: 'a fork of nothing', log: [fork({ from: 2 })], finds: /leaves branch 2, which is not there/ },
  { name: 'a branch out of turn', log: [fork({ branch: 3 })], finds: /is branch 3, out of turn/ },
  { name: 'a fork in the future', log: [fork({ after: 1 })], finds: /which is not there yet/ },
  { name: 'input that waits again before it was said', log: [submit(), fork({ inputs: [1] })], finds: /lets input 1/ },
  { name: 'a switch to nothing', log: [{ kind: 'branch-switch', branch: 2 }], finds: /names branch 2/ },
  {
    name: 'input that is said on two branches',
    log: [submit(), begin, admit(1), endTurn, fork(), toBranch, { ...begin, turn: 2 }, admit(1)],
    finds: /says input 1 a second time/,
  },
  {
    name: 'input of another branch',
    log: [fork(), bound, begin, admit(2)],
    finds: /waits for another branch/,
  },
  { name: 'a turn that never ends', log: [begin], finds: /turn 1 never ended/ },
  { name: 'input that is never said', log: [submit()], finds: /input 1 was never said/ },
  { name: 'a call that is never settled', log: [...calling, settle(step)], finds: /call 4.1 was never settled/ },
]

describe('the log checks find every fault in a log', () => {
  test.for(broken)('[B207] $name', ({ log, finds }) => {
    expect(problemsOf(log).join('\n')).toMatch(finds)
  })

  test('[B207] and report nothing for a correct log', () => {
    const rest = [start(step), settle(step), madeUp('not-started', 1), respond(), endTurn]
    expect(problemsOf([...calling, ...rest])).toEqual([])
    // The input is said once more on a branch that begins before it was said.
    const again = [fork({ after: 2, inputs: [1] }), toBranch, { ...begin, turn: 2 }, admit(1), { ...endTurn, turn: 2 }]
    expect(problemsOf([...calling, ...rest, ...again] as EntryData[])).toEqual([])
  })
})

function problemsOf(log: readonly (EntryData & Partial<Entry>)[]): readonly string[] {
  const laws = new LogLaws()
  for (const [index, entry] of log.entries()) laws.take({ seq: index + 1, at: 1_000, epoch: 1, ...entry } as Entry)
  laws.end()
  return laws.problems
}
