import { expect, test } from 'vitest'
import { openCheckpointer } from '../../../src/integrations/langchain/index.ts'
import type { GraphRun } from '../../../src/integrations/langgraph/leases.ts'

test('[LC45] a graph that a tool invokes belongs to the last run with its checkpoint, also after the lease was released early', async () => {
  await using journal = await openCheckpointer('memory:')
  const { leases, store } = journal
  const begin = async () => {
    const writer = () => {}
    const lease = await leases.begin({ writer }, 'thread', undefined)
    lease.checkpoints.add('checkpoint')
    const run = leases.runOf({ writer }) as GraphRun
    // A parallel task has interrupted, so the run seems to be over.
    const write = (guard: { leaseMs: number }) => store.write('thread', guard, { parts: new Map() })
    await leases.write(run, 'thread', write, () => true)
    expect(lease.isHeld).toBe(false)
    return run
  }
  const invoked = () => ({
    writer: () => {},
    configurable: { __pregel_read() {}, checkpoint_map: { '': 'checkpoint' } },
  })
  await begin()
  const last = await begin()
  expect(leases.runOf(invoked())).toBe(last)
  expect(leases.runOf({ ...invoked(), configurable: { checkpoint_map: { '': 'checkpoint' } } })).toBe(undefined)
})
