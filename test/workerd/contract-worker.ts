import { DurableObject } from 'cloudflare:workers'
import type { ObjectStorage } from '../../src/journal/stores/durable-object/object-storage.ts'
import { DurableObjectStore } from '../../src/journal/stores/durable-object/store.ts'
import { FakeClock } from '../journal/contract/fake-clock.ts'
import { checkJournal } from '../journal/contract.ts'
import { checkStore } from '../journal/stores/contract.ts'
import { collected, runCollected } from './vitest-in-worker.ts'

/** The contract suites, in the runtime of Durable Objects: each test has an object of its own. */

/** The storage of the object whose test runs. */
let storage: ObjectStorage

const suites: Record<string, () => void> = {
  store: () =>
    checkStore(
      'durable-object',
      async () => {
        let now = Date.now()
        const reopen = async () => new DurableObjectStore(storage, { now: () => now })
        const advance = (ms: number) => {
          now += ms
        }
        return { store: await reopen(), reopen, advance, close: async () => {} }
      },
      { crowd: 50, runs: 20 },
    ),
  journal: () =>
    checkJournal('durable-object', async () => {
      const clock = new FakeClock()
      const open = async () => new DurableObjectStore(storage, { now: clock.now })
      return { clock, open, close: async () => {} }
    }),
}

export class ContractObject extends DurableObject {
  override async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url)
    if (collected.length === 0) suites[pathname.slice(1)]?.()
    const index = searchParams.get('index')
    if (index === null) return Response.json(collected.map(({ title }) => title))
    storage = this.ctx.storage
    try {
      await runCollected(Number(index))
      return new Response('ok')
    } catch (error) {
      return new Response(error instanceof Error ? (error.stack ?? error.message) : String(error), { status: 500 })
    }
  }
}

interface Namespace {
  idFromName(name: string): unknown
  get(id: unknown): { fetch(request: Request): Promise<Response> }
}

export default {
  fetch(request: Request, env: { readonly ContractObject: Namespace }): Promise<Response> {
    const name = new URL(request.url).searchParams.get('index') ?? 'titles'
    return env.ContractObject.get(env.ContractObject.idFromName(name)).fetch(request)
  },
}
