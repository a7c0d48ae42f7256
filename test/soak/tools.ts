import { setTimeout as sleep } from 'node:timers/promises'
import { agent, type ModelRequest, type Tools } from '../../src/journal/index.ts'
import { wordOf } from '../journal/invariants/words.ts'
import { Ledger } from '../kill/ledger.ts'
import { Random } from '../laws/random.ts'
import type { Setting, ToolName } from './settings.ts'

/** What is true of the effects of a tool. */
export const habits: Record<ToolName, { readonly isOnce: boolean; readonly needsApproval: boolean }> = {
  look: { isOnce: false, needsApproval: false },
  charge: { isOnce: true, needsApproval: false },
  slow: { isOnce: true, needsApproval: false },
  fail: { isOnce: true, needsApproval: false },
  pay: { isOnce: true, needsApproval: true },
  ask: { isOnce: true, needsApproval: false },
  browse: { isOnce: true, needsApproval: false },
}

/** The tools of the server. Their effects are lines of a file outside of all journals, one for every run. */
export function serverTools({ ledger: path, seed }: Setting, model: (request: ModelRequest) => unknown): Tools {
  const ledger = new Ledger(path)
  const random = new Random(seed)
  let outputs = 0
  const effect = (tool: ToolName, input: object, key: string): string => {
    ledger.add({ kind: 'effect', tool, key, process: process.pid, input })
    return `${tool} did it ${wordOf('out', process.pid * 1_000_000 + outputs++)}`
  }
  const tools: Tools = {
    look: {
      replay: 'safe',
      async execute(input: object, { key }) {
        const done = effect('look', input, key)
        await sleep(random.range(0, 120))
        return done
      },
    },
    charge: {
      async execute(input: object, { key }) {
        await sleep(random.range(0, 40))
        const done = effect('charge', input, key)
        await sleep(random.range(0, 40))
        return done
      },
    },
    slow: {
      timeoutMs: 3_000,
      async execute(input: object, { key, signal }) {
        const done = effect('slow', input, key)
        await sleep(random.range(100, 1_200), undefined, { signal })
        return done
      },
    },
    fail: {
      execute(input: object, { key }) {
        throw new Error(effect('fail', input, key))
      },
    },
    pay: { execute: (input: object, { key }) => effect('pay', input, key), approval: true, expiresMs: 3_000 },
    ask: { expiresMs: 4_000 },
  }
  const { look, charge, pay } = tools
  const booking = agent({ model, tools: { charge, pay } })
  return { ...tools, booking, research: agent({ model, tools: { look, booking } }) }
}

/** Those of a worker, which waits for what the clients of others have to do. */
export const workerTools = (...given: Parameters<typeof serverTools>): Tools => ({
  ...serverTools(...given),
  browse: { expiresMs: 4_000 },
})
