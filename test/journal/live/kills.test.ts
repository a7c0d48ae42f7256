import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, test } from 'vitest'
import { openJournal } from '../../../src/journal/index.ts'
import { Random } from '../../laws/random.ts'
import { programFile } from '../../programs.ts'
import { newSchema } from '../stores/postgres-fixture.ts'
import { type Server, startServer } from '../stores/postgres-server.ts'
import { ShownScreen } from './shown.ts'

const folder = mkdtempSync(join(tmpdir(), 'kills-'))
let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

test.concurrent.for(['sqlite', 'postgres'])(
  '[LV1] [LV2] [LV10] three processes are killed at random, over %s',
  async (kind, { expect }) => {
    const location = kind === 'sqlite' ? `sqlite:${join(folder, 'chat.db')}` : server.url()
    const schema = kind === 'sqlite' ? '' : newSchema()
    const random = new Random(7)
    // They begin first, so that over a socket one of them is the one that listens.
    const workers = await Promise.all([0, 1, 2].map(() => start(location, schema)))
    const journal = await openJournal(location, { live: true, ...(schema && { schema }) })
    const thread = journal.thread('t', { for: 'openai' })
    const over = new AbortController()
    const screens = [new ShownScreen(), new ShownScreen()]
    const reading = screens.map(async screen => {
      for await (const item of thread.watch({ live: true, signal: over.signal })) screen.take(item)
    })
    let kills = 0
    const answers = () => screens.map(({ entries }) => entries.filter(({ kind }) => kind === 'turn-end').length)
    for (let turn = 1; turn <= turns; turn++) {
      await thread.submit(`Question ${turn}`)
      for (let more = random.int(3); more > 0; more--) {
        await new Promise(resolve => setTimeout(resolve, random.int(350)))
        const index = random.int(workers.length)
        const victim = workers[index] as ChildProcess
        const gone = once(victim, 'exit')
        victim.kill('SIGKILL')
        await gone
        kills++
        workers[index] = await start(location, schema)
      }
      await expect.poll(answers).toEqual([turn, turn])
    }
    over.abort()
    await Promise.all(reading)
    const { store } = journal
    const recorded = await store.read((await store.open('t')).thread, 0)
    for (const screen of screens) expect([screen.entries, screen.text]).toEqual([recorded, ''])
    expect(recorded.filter(entry => entry.kind === 'turn-end' && entry.status !== 'done')).toEqual([])
    const [first] = screens
    // Words of other processes were seen before they were recorded.
    expect(first?.counts.deltas).toBeGreaterThan(5 * turns)
    expect(kills).toBeGreaterThan(5)
    await journal.close()
    for (const worker of workers) {
      const gone = once(worker, 'exit')
      worker.kill('SIGKILL')
      await gone
    }
  },
)

const turns = 12

async function start(location: string, schema: string): Promise<ChildProcess> {
  const child = fork(programFile('live-process'), [location, schema], { execArgv: [] })
  await once(child, 'message')
  return child
}
