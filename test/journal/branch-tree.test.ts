import { expect, test } from 'vitest'
import type { Entry, EntryData } from '../../src/journal/entry.ts'
import {
  currentBranch,
  evolve,
  initialState,
  type ThreadItem,
  type ThreadState,
  viewOf,
} from '../../src/journal/fold.ts'
import { Random } from '../laws/random.ts'
import { admit, endTurn, respond, settle, submit } from './sample-entries.ts'

test.for(Array.from({ length: 20 }, (_, seed) => seed))(
  '[B440] branches that share their items are those that have a copy of each: seed %i',
  seed => {
    const random = new Random(seed)
    const state = initialState('uid')
    /** By branch: its items by their sequence numbers, as copies. */
    const paths = new Map<number, number[]>([[1, []]])
    let turns = 0
    const write = (entry: EntryData): number => {
      evolve(state, { ...entry, seq: state.head + 1, at: 0, epoch: 1 } as Entry)
      return state.head
    }
    const say = (entry: EntryData): number => {
      const seq = write(entry)
      paths.get(currentBranch(state))?.push(seq)
      return seq
    }
    const act = {
      turn: () => {
        const input = write(submit())
        write({ kind: 'turn-start', turn: ++turns })
        say(admit(input))
        for (let step = random.int(3); step > 0; step--) {
          const seq = say(respond(1))
          write(settle(seq))
        }
        say(respond())
        write({ ...endTurn, turn: turns } as EntryData)
      },
      fork: () => {
        const from = 1 + random.int(paths.size)
        const after = random.int(state.head + 1)
        const branch = paths.size + 1
        const left = (paths.get(from) ?? []).filter(seq => seq <= after)
        paths.set(branch, left)
        write({ kind: 'branch-fork', branch, from, after })
      },
      switch: () => write({ kind: 'branch-switch', branch: 1 + random.int(paths.size) }),
    }
    act.turn()
    act.fork()
    for (let step = 0; step < 60; step++) {
      act[random.pick(['turn', 'fork', 'switch'] as const)]()
      for (const [branch, path] of paths) expect(seqsOf(viewOf(state, branch).items), `branch ${branch}`).toEqual(path)
    }
    for (const [branch, path] of paths)
      for (const seq of new Set([...paths.values()].flat()))
        expect(hasEntry(state, branch, seq), `${seq} on branch ${branch}`).toBe(path.includes(seq))
  },
)

test('[B441] a log with many forks and switches of a long history is folded', () => {
  const state = initialState('uid')
  const take = (entry: EntryData) => evolve(state, { ...entry, seq: state.head + 1, at: 0, epoch: 1 } as Entry)
  const many = 20_000
  for (let index = 0; index < many; index++) take(respond())
  for (let branch = 2; branch <= many; branch++) {
    take({ kind: 'branch-fork', branch, from: branch - 1, after: many - 1 })
    take({ kind: 'branch-switch', branch })
    take(respond())
  }
  expect(state.items).toHaveLength(many)
  expect(state.items.at(-1)).toMatchObject({ step: { seq: state.head } })
})

test('[B442] an entry that names a branch that does not exist is an error', () => {
  const state = initialState('uid')
  const take = (entry: EntryData) => () => evolve(state, { ...entry, seq: state.head + 1, at: 0, epoch: 1 } as Entry)
  const damaged = expect.objectContaining({ code: 'journal-damaged' })
  expect(take({ kind: 'branch-switch', branch: 2 })).toThrow(damaged)
  expect(take({ kind: 'branch-fork', branch: 2, from: 3, after: 0 })).toThrow(damaged)
  expect(take({ kind: 'branch-fork', branch: 3, from: 1, after: 0 })).toThrow(damaged)
  expect(take({ kind: 'input-submit', content: 'a', when: 'queue', branch: 2 })).toThrow(damaged)
})

const seqsOf = (items: readonly ThreadItem[]): number[] =>
  items.map(item => (item.kind === 'step' ? item.step.seq : item.seq))

function hasEntry({ tree }: ThreadState, branch: number, seq: number): boolean {
  const found = tree?.get(branch)
  return found !== undefined && tree?.hasEntry(found, seq) === true
}
