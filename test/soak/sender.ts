import { setTimeout as sleep } from 'node:timers/promises'
import { anthropic } from '../integrations/fetch/clients/anthropic.ts'
import { deepseekChat, openaiChat } from '../integrations/fetch/clients/openai.ts'
import { failureNames, failures, healthy } from '../integrations/fetch/failures.ts'
import { Random } from '../laws/random.ts'
import { routes } from './settings.ts'
import type { World } from './world.ts'

/** A program without a journal: it sends healthy histories and broken ones through the proxy, and sometimes it leaves. */
export async function send(world: World, index: number): Promise<void> {
  const random = new Random(world.seed * 3_001 + index)
  while (!world.over.aborted) {
    const client = random.pick([openaiChat, anthropic, deepseekChat])
    const name = random.chance(0.5) ? 'healthy' : random.pick(failureNames)
    const signal = random.chance(0.1) ? AbortSignal.timeout(random.range(1, 40)) : undefined
    const fetch: typeof globalThis.fetch = (url, init) =>
      globalThis.fetch(url, {
        ...init,
        ...(signal && { signal: AbortSignal.any([signal, ...(init?.signal ? [init.signal] : [])]) }),
      })
    const messages = name === 'healthy' ? healthy : failures[name]
    world.counters.count(`sent ${name === 'healthy' ? 'healthy' : 'broken'}`)
    try {
      await client.ask({ url: `${world.proxy}/${routes.plain}`, messages, stream: random.chance(0.5), fetch })
      world.counters.count('sent and answered')
    } catch (error) {
      const { status } = error as { status?: number }
      const kind = signal?.aborted ? 'left' : status === undefined ? 'cut' : `refused ${status}`
      world.counters.count(`sent and ${kind}`)
      if (status !== undefined && !injected.has(status)) world.problems.push(`${client.name}, ${name}: ${error}`)
    }
    await sleep(random.range(40, 200))
  }
}

const injected = new Set([429, 503, 529])
