import type { Thread, Tools } from '../../src/journal/index.ts'
import { wordOf } from '../journal/invariants/words.ts'
import type { Ledger } from './ledger.ts'
import type { Points } from './points.ts'
import type { Renewals } from './renewals.ts'

export interface Workshop {
  readonly points: Points
  readonly ledger: Ledger
  readonly renewals: Renewals
  /** The thread that a call is in. */
  threadOf(key: string): Promise<Thread>
}

/** Tools whose effects are lines of the ledger, one for every run. */
export function toolsOf({ points, ledger, renewals, threadOf }: Workshop): Tools {
  const effect = (tool: string, input: object, key: string): string => {
    points.reach('tool before its effect')
    ledger.add({ kind: 'effect', tool, key, process: process.pid, input })
    points.reach('tool after its effect')
    return `${tool} did it ${wordOf('out', process.pid * 1_000 + outputs++)}`
  }
  return {
    charge: { execute: (input: object, { key }) => effect('charge', input, key) },
    look: { execute: (input: object, { key }) => effect('look', input, key), replay: 'safe' },
    pay: { execute: (input: object, { key }) => effect('pay', input, key), approval: true },
    /** The user says more while it runs. */
    nudge: {
      async execute(input: object, { key }) {
        await submit(await threadOf(key), ledger, 'also this', `nudge ${key}`, 'steer')
        await renewals.next()
        return effect('nudge', input, key)
      },
    },
    /** The user stops it while it runs. */
    hang: {
      async execute(input: object, { key, signal }) {
        effect('hang', input, key)
        const thread = await threadOf(key)
        await thread.interrupt('enough')
        points.reach('tool interrupted')
        await new Promise((_, reject) => {
          if (signal.aborted) reject(signal.reason)
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        })
      },
    },
    ask: {},
  }
}

let outputs = 0

/** Submits, and writes down that it was accepted. */
export async function submit(
  thread: Thread,
  ledger: Ledger,
  input: string,
  key: string,
  whenBusy: 'queue' | 'steer' = 'queue',
): Promise<number> {
  const { seq } = await thread.submit(input, { key, whenBusy })
  ledger.add({ kind: 'receipt', receipt: { thread: thread.name, key, seq }, content: input })
  return seq
}
