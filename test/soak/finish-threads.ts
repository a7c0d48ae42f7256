import { setTimeout as sleep } from 'node:timers/promises'
import { parentOf } from '../../src/journal/agents/child-name.ts'
import { listThreads } from '../../src/journal/stores/read-all.ts'
import { Random } from '../laws/random.ts'
import { dialects } from './settings.ts'
import { answerOpenCalls } from './user-actions.ts'
import type { World } from './world.ts'

/** Decides and settles whatever waits for somebody, until nothing is left to do. Gives back what never came to rest. */
export async function finishThreads(world: World, patienceMs = 120_000): Promise<string[]> {
  const random = new Random(world.seed * 13_007)
  const deadline = Date.now() + patienceMs
  for (;;) {
    const restless: string[] = []
    for (const dialect of dialects)
      for await (const { name, state, dueAt, openCalls } of listThreads(world.journal(dialect).store)) {
        if (state === 'idle' && dueAt === undefined) continue
        restless.push(`${dialect}, ${name} never came to rest: ${JSON.stringify({ state, dueAt, openCalls })}`)
        // Those of agents are reached through their parents.
        if (openCalls === 0 || state === 'erased' || parentOf(name)) continue
        await answerOpenCalls(world, random, dialect, world.thread(dialect, name), { approvals: 1, results: 1 })
      }
    if (restless.length === 0 || Date.now() > deadline) return restless
    await sleep(200)
  }
}
