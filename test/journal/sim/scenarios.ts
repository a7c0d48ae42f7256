import type { RunCompaction } from '../../../src/journal/compaction/run-compaction.ts'
import type { JournalCall, ThreadState } from '../../../src/journal/fold.ts'
import type { ThreadRow } from '../../../src/journal/stores/store.ts'
import type { Effects } from '../invariants/effects.ts'
import { wordOf, wordsOnly } from '../invariants/words.ts'
import type { Line } from './environment.ts'
import type { Player } from './player.ts'
import { rejectLongIds, rejectWithoutSummary } from './rejections.ts'

export interface Scenario {
  readonly name: string
  /** What a client does. It can be done again from its beginning, as by somebody who got no answer. */
  play(player: Player): Promise<void>
  /** What the model says in the step of a turn, however often it is asked. */
  model(turn: number, step: number, attempt: number): Line
  /** The same for the agents that it calls. */
  agent?(turn: number, step: number, attempt: number): Line
  /** What should have come of it and did not. */
  faults(end: { state: ThreadState; effects: Effects; row: ThreadRow }): string[]
}

const done: Line = { text: 'Done.' }

const calling = (...names: string[]): Line => ({ text: 'Let me see.', calls: names.map(name => ({ name, input: {} })) })

/** The model calls these in its first step, and then it is done. */
const firstCalling =
  (...names: string[]) =>
  (turn: number, step: number): Line =>
    turn === 1 && step === 0 ? calling(...names) : done

export const scenarios: readonly Scenario[] = [
  {
    name: 'a plain turn',
    play: async player => {
      await player.submit('1')
      await player.run()
      await player.submit('2')
      await player.run()
    },
    model: () => done,
    faults: ended('done'),
  },
  {
    name: 'parallel calls',
    play: async player => {
      await player.submit('1')
      await player.run()
    },
    model: firstCalling('look', 'book', 'look'),
    faults: both(ended('done'), neededResults),
  },
  {
    name: 'an approval and a denial',
    play: async player => {
      await player.submit('1')
      await player.run()
      await player.decide(index => index !== 1)
      await player.run()
    },
    model: firstCalling('pay', 'pay', 'look'),
    faults: both(ended('done'), neededResults),
  },
  {
    name: 'an approval with changed input',
    play: async player => {
      await player.submit('1')
      await player.run()
      await player.decide(() => true, { city: wordOf('in', 2) })
      await player.run()
    },
    model: firstCalling('pay', 'look'),
    faults: both(ended('done'), neededResults),
  },
  {
    name: 'input that steers',
    play: async player => {
      await player.submit('1')
      const running = player.startRun()
      await player.process.wait(100)
      await player.submit('2', 'steer')
      await running
      await player.run()
    },
    model: firstCalling('look', 'book'),
    faults: ended('done'),
  },
  {
    name: 'an interruption in a tool',
    play: async player => {
      await player.submit('1')
      const running = player.startRun()
      await player.process.wait(100)
      await player.interrupt(1)
      await running
      await player.submit('2')
      await player.run()
    },
    model: firstCalling('look', 'book'),
    faults: ended('done'),
  },
  {
    name: 'input that interrupts',
    play: async player => {
      await player.submit('1')
      const running = player.startRun()
      await player.process.wait(100)
      await player.submit('2', 'interrupt')
      await running
      await player.run()
    },
    model: firstCalling('look', 'book'),
    faults: ended('done'),
  },
  {
    name: 'a stream',
    play: async player => {
      await player.submit('1')
      await player.run()
    },
    model: (_, step) => ({ ...(step === 0 ? calling('look') : done), streams: true }),
    faults: both(ended('done'), neededResults),
  },
  {
    name: 'a stream that is cut',
    play: async player => {
      await player.submit('1')
      await player.run()
      await player.submit('2')
      await player.run()
    },
    model: turn => (turn === 1 ? { ...calling('look'), streams: true, isCut: true } : done),
    faults: ended('done'),
  },
  ...(['continue', 'retry'] as const).map(
    (onCut): Scenario => ({
      name: `a stream that is cut: ${onCut}`,
      play: async player => {
        await player.submit('1')
        await player.run({ onCut })
        await player.submit('2')
        await player.run({ onCut })
      },
      model: (turn, step, attempt) => ({
        ...(turn === 1 && step === 0 ? calling('look') : done),
        streams: true,
        ...(turn === 1 && step === 0 && attempt === 1 && { isCut: true }),
      }),
      faults: both(ended('done'), neededResults),
    }),
  ),
  {
    name: 'a tool that is looked up',
    play: async player => {
      await player.submit('1')
      await player.run()
    },
    model: firstCalling('wire', 'look', 'wire'),
    faults: both(ended('done'), neededResults),
  },
  {
    name: 'a tool outside',
    play: async player => {
      await player.submit('1')
      await player.run()
      await player.settle()
      await player.run()
    },
    model: firstCalling('person', 'look'),
    faults: both(ended('done'), neededResults),
  },
  {
    name: 'a rejection that teaches',
    play: async player => {
      await player.submit('1')
      await player.run()
      await player.submit('2')
      await player.run()
    },
    model: (turn, step) =>
      turn === 1 && step === 0
        ? { text: 'Let me see.', calls: ['a', 'b'].map(id => ({ name: 'look', input: {}, id: id.repeat(30) })) }
        : { ...done, rejects: rejectLongIds },
    faults: both(ended('done'), neededResults, hasLearnt),
  },
  {
    name: 'a rejection as too long',
    play: async player => {
      const compact: RunCompaction = { summarize: ({ messages }) => wordsOnly(messages), keepTurns: 1 }
      await player.submit('1')
      await player.run({ compact })
      await player.submit('2')
      await player.run({ compact })
    },
    model: (turn, step) =>
      turn === 1 ? (step === 0 ? calling('look', 'book') : done) : { ...done, rejects: rejectWithoutSummary },
    faults: both(ended('done'), neededResults, hasOneSummary),
  },
  {
    name: 'an edit, and another answer',
    play: async player => {
      const first = await player.submit('1')
      await player.run()
      await player.edit(first, '2')
      await player.run()
      await player.thread.regenerate()
      await player.run()
    },
    model: firstCalling('look', 'book'),
    faults: ended('done'),
  },
  {
    name: 'an edit that interrupts',
    play: async player => {
      const first = await player.submit('1')
      const running = player.startRun()
      await player.process.wait(100)
      await player.editOnceSaid(first, '2')
      await running
      await player.run()
    },
    model: firstCalling('look', 'book'),
    faults: ended('done'),
  },
  {
    name: 'a branch that drops open calls',
    play: async player => {
      await player.submit('1')
      await player.run()
      await player.thread.fork({ openCalls: 'drop' })
      await player.settle()
      await player.run()
      await player.thread.switch(2, { whenBusy: 'interrupt' })
      await player.submit('2')
      await player.run()
    },
    model: firstCalling('person', 'look'),
    faults: both(ended('done'), neededResults),
  },
  {
    name: 'a summary, and what it covered',
    play: async player => {
      await player.submit('1')
      await player.run()
      await player.thread.compact({ summary: wordsOnly })
      await player.submit('2')
      await player.run()
      await player.thread.compact({ summary: wordsOnly, keepTurns: 1 })
      await player.thread.expand()
      await player.submit('3')
      await player.run()
    },
    model: firstCalling('look', 'book'),
    faults: both(ended('done'), neededResults),
  },
  {
    name: 'an erasure',
    play: async player => {
      await player.unlessErased(async () => {
        await player.submit('1')
        await player.run()
      })
      await player.thread.erase()
    },
    model: firstCalling('look', 'book'),
    faults: isErased,
  },
  {
    name: 'an erasure while a tool runs',
    play: async player => {
      await player.unlessErased(async () => {
        await player.submit('1')
        const running = player.startRun()
        await player.process.wait(100)
        await player.thread.erase()
        await running
      })
      await player.thread.erase()
    },
    model: firstCalling('look', 'book'),
    faults: isErased,
  },
  {
    name: 'an agent',
    play: async player => {
      await player.submit('1')
      await player.run()
    },
    model: firstCalling('helper', 'look'),
    agent: firstCalling('look', 'book'),
    faults: both(ended('done'), neededResults),
  },
  {
    name: 'two agents that ask',
    play: async player => {
      await player.submit('1')
      await player.run()
      await player.decide(() => true)
      await player.run()
    },
    model: firstCalling('helper', 'helper'),
    agent: firstCalling('pay'),
    faults: both(ended('done'), neededResults),
  },
  {
    name: 'an interruption of an agent',
    play: async player => {
      await player.submit('1')
      const running = player.startRun()
      await player.process.wait(200)
      await player.interrupt(1)
      await running
      await player.submit('2')
      await player.run()
    },
    model: firstCalling('helper'),
    agent: firstCalling('look', 'book'),
    faults: ended('done'),
  },
  {
    name: 'an erasure with an agent',
    play: async player => {
      await player.unlessErased(async () => {
        await player.submit('1')
        const running = player.startRun()
        await player.process.wait(150)
        await player.thread.erase()
        await running
      })
      await player.thread.erase()
    },
    model: firstCalling('helper'),
    agent: firstCalling('look', 'book'),
    faults: isErased,
  },
  {
    name: 'a worker',
    play: async player => {
      await player.submit('1')
      await player.submit('2')
      await player.work(12_000)
    },
    model: firstCalling('look', 'book'),
    faults: ended('done'),
  },
  {
    name: 'a worker that hands over',
    play: async player => {
      await player.submit('1')
      await player.work(110)
      await player.work(12_000)
    },
    model: (_, step) => (step < 3 ? calling('look') : done),
    faults: both(ended('done'), neededResults),
  },
]

type Faults = Scenario['faults']

function hasOneSummary({ state: { items } }: Parameters<Faults>[0]): string[] {
  const { length } = items.filter(({ kind }) => kind === 'summary')
  return length === 1 ? [] : [`the history has ${length} summaries`]
}

function hasLearnt({ state: { lessons } }: Parameters<Faults>[0]): string[] {
  return lessons?.size === 1 ? [] : ['the thread did not learn from the rejection']
}

function isErased({ row: { state, head, dueAt, name } }: Parameters<Faults>[0]): string[] {
  const isGone = state === 'erased' && head === 0 && dueAt === undefined && name.startsWith('erased:')
  return isGone ? [] : [`the thread is not erased: ${JSON.stringify({ state, head, dueAt, name })}`]
}

/** How the last turn ends. */
function ended(status: string): Faults {
  return ({ state: { ended } }) =>
    ended?.status === status ? [] : [`the last turn ended as ${ended?.status}, and not as ${status}`]
}

/** No call of a safe tool goes without its result, and of another only if it may have run. */
function neededResults({ state, effects }: Parameters<Faults>[0]): string[] {
  return [...state.calls.values()].flatMap(call => missingResult(call, effects))
}

function missingResult({ id, name, outcome, startedAt }: JournalCall, effects: Effects): string[] {
  if (outcome?.status === 'done' || outcome?.state === 'denied') return []
  const mayHaveRun = startedAt !== undefined && name !== 'look' && outcome?.state === 'unknown'
  // A tool that can be looked up is known not to have run.
  const times = effects.timesEntered(id)
  return mayHaveRun && (name === 'wire' ? times === 1 : times <= 1)
    ? []
    : [`${name} (${id}) ended with ${JSON.stringify(outcome)}`]
}

function both(...all: Faults[]): Faults {
  return end => all.flatMap(faults => faults(end))
}
