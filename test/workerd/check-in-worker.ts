import { afterAll, describe, expect, test } from 'vitest'
import { bundleWorker } from './bundle.ts'
import { startWorker } from './start-worker.ts'

/** Runs a contract suite in the runtime of Durable Objects, or one in so many of its tests, and reports each of them. */
export async function checkInWorker(suite: 'store' | 'journal', { oneIn = 1 } = {}): Promise<void> {
  // The suites themselves need Node, and so do the strict providers in them.
  const alias = { vitest: `${import.meta.dirname}/vitest-in-worker.ts` }
  const code = await bundleWorker('test/workerd/contract-worker.ts', { alias, usesNode: true })
  const worker = await startWorker(code, ['ContractObject'], { flags: ['nodejs_compat'] })
  afterAll(() => worker.stop())
  const titles = (await (await worker.fetch(`/${suite}`)).json()) as string[]
  describe(`${suite} in workerd`, () => {
    for (const [index, title] of titles.entries()) {
      if (index % oneIn > 0) continue
      test(title, async () => {
        const response = await worker.fetch(`/${suite}?index=${index}`)
        expect(await response.text()).toBe('ok')
      })
    }
  })
}
