import type { Write } from '../../../src/journal/stores/store.ts'
import { admit, endTurn, respond, settle, start, submit } from '../sample-entries.ts'

/** How many entries a turn has. */
export const entriesPerTurn = 8

/** The writes of one turn of a thread that has nothing but such turns: input, a step with one call, the last words. */
export function turnOf(thread: number, turn: number, words: string): Write[] {
  const before = (turn - 1) * entriesPerTurn
  const step = before + 4
  const key = `request ${turn}`
  const owned = (head: number, ...entries: Write['entries']): Write => ({ thread, entries, head, epoch: turn })
  const say = (calls: number) => ({ ...respond(calls), messages: [{ role: 'assistant', content: words }] })
  return [
    { thread, entries: [submit(words, key)], input: { key, digest: 'd'.repeat(43) }, dueAt: 'now' },
    {
      ...{ thread, entries: [{ kind: 'turn-start', turn }, admit(before + 1)], head: before + 1 },
      ...{ lease: { owner: 'me', ms: 60_000 }, onlyIf: 'idle', state: 'running' },
    },
    owned(before + 3, say(1)),
    owned(step, start(step)),
    owned(step + 1, { ...settle(step), outcome: { status: 'done', content: words } }),
    owned(step + 2, say(0)),
    { ...owned(step + 3, endTurn), release: true, state: 'idle', dueAt: null },
  ]
}
