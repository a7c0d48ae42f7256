import { expect, test } from 'vitest'
import { systemClock } from '../../../src/journal/clock.ts'
import { run } from '../../../src/journal/index.ts'
import { Journal } from '../../../src/journal/journal.ts'
import { LiveHub } from '../../../src/journal/live/live-hub.ts'
import { LocalBus } from '../../../src/journal/live/transports/local.ts'
import { MemoryStore } from '../../../src/journal/stores/memory.ts'
import { calls } from '../contract/model.ts'

test('[LV13] other processes learn when a thread has something to do, if that is computed again', async () => {
  const store = new MemoryStore()
  const bus = new LocalBus()
  const hubs = [new LiveHub(systemClock, bus.transport()), new LiveHub(systemClock, bus.transport())]
  for (const hub of hubs) hub.start()
  const [journal, other] = hubs.map(hub => new Journal(store, systemClock, 'owner', undefined, undefined, hub))
  const thread = journal.thread('t', { for: 'openai' })
  await thread.submit('Pay')
  await run(thread, { model: () => calls(['pay', {}]), tools: { pay: { approval: true, expiresMs: 60_000 } } })
  const { dueAt } = await store.open('t')
  const told: unknown[] = []
  const stop = hubs[1].onDue(at => told.push(at))
  await expect.poll(() => told).toEqual([undefined])
  await thread.reschedule()
  await expect.poll(() => told).toEqual([undefined, dueAt])
  stop()
  for (const each of [journal, other]) await each.close()
})
