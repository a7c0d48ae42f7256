import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { agent, type Tools } from '../../src/journal/index.ts'
import { wordOf } from '../journal/invariants/words.ts'
import { Ledger } from '../kill/ledger.ts'
import { Random } from '../laws/random.ts'
import type { Told } from './inside.ts'
import { modelsOf } from './model.ts'
import { type Dialect, fallbacks, type Setting, type ToolName } from './settings.ts'

/** What is true of the effects of a tool. */
export const habits: Record<ToolName, { readonly isOnce: boolean; readonly needsApproval: boolean }> = {
  look: { isOnce: false, needsApproval: false },
  charge: { isOnce: true, needsApproval: false },
  transfer: { isOnce: true, needsApproval: false },
  slow: { isOnce: true, needsApproval: false },
  fail: { isOnce: true, needsApproval: false },
  pay: { isOnce: true, needsApproval: true },
  ask: { isOnce: true, needsApproval: false },
  browse: { isOnce: true, needsApproval: false },
}

/** The tools of the server. Their effects are lines of a file outside of all journals, one for every run. */
export function serverTools(dialect: Dialect, setting: Setting): Tools {
  const { ledger: path, seed } = setting
  const ledger = new Ledger(path)
  const random = new Random(seed)
  let outputs = 0
  const told = (tool: ToolName): string => `${tool} did it ${wordOf('out', process.pid * 1_000_000 + outputs++)}`
  const effect = (tool: ToolName, input: object, key: string): string => {
    ledger.add({ kind: 'effect', tool, key, process: process.pid, input })
    return told(tool)
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
    transfer: {
      replay: 'probe',
      async execute(input: object, { key, signal }) {
        const begun = Date.now()
        process.send?.({ kind: 'transfer' } satisfies Told)
        await sleep(random.range(0, 1_000), undefined, { signal })
        // The service refuses what comes late: by the end of the lease another process may have been told that nothing was done.
        if (Date.now() - begun > 1_200) throw new Error('too late')
        const done = effect('transfer', input, key)
        await sleep(random.range(0, 1_500), undefined, { signal })
        return done
      },
      probe(_, { key }) {
        const isDone = readFileSync(path, 'utf8').includes(`"tool":"transfer","key":"${key}"`)
        ledger.add({ kind: 'probe', key, isDone })
        return isDone ? { done: told('transfer') } : { notDone: true }
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
  const { look, transfer, pay } = tools
  const asked = { models: modelsOf(dialect, setting), ...fallbacks.agent }
  const booking = agent({ ...asked, tools: { transfer, pay } })
  return { ...tools, booking, research: agent({ ...asked, tools: { look, booking } }) }
}

/** Those of a worker, which waits for what the clients of others have to do. */
export const workerTools = (...given: Parameters<typeof serverTools>): Tools => ({
  ...serverTools(...given),
  browse: { expiresMs: 4_000 },
})
