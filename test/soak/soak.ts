import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServer } from '../journal/stores/postgres-server.ts'
import { leftovers } from '../kill/leftovers.ts'
import { chat } from './client.ts'
import { Counters } from './counters.ts'
import { judge } from './evidence.ts'
import { killWorkers, restartServer, WorkerPool } from './fault-injection.ts'
import { type Findings, findingsOf } from './findings.ts'
import { finishThreads } from './finish-threads.ts'
import { Samples } from './growth.ts'
import { speak } from './journal-user.ts'
import { openAgain } from './open-again.ts'
import { operate } from './operator.ts'
import { Part } from './part.ts'
import { send } from './sender.ts'
import { dialects } from './settings.ts'
import { finishViews, look } from './watcher.ts'
import { World } from './world.ts'

export interface SoakOptions {
  readonly seed: number
  readonly minutes: number
  readonly say: (line: string) => void
}

/** Everything at once, for some minutes; then everything is brought to rest, and judged. */
export async function soak({ seed, minutes, say }: SoakOptions): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-soak-'))
  leftovers.folders.add(folder)
  const server = await startServer()
  const [journal, ledger] = [server.url(), join(folder, 'ledger')]
  const open = () => Promise.all(dialects.map(dialect => openAgain(dialect, { journal })))
  const [ones, twins] = [await open(), await open()]
  const journals = new Map(dialects.map((dialect, index) => [dialect, [ones[index], twins[index]]]))

  const provider = await Part.start('provider', { seed })
  const proxy = await Part.start('proxy', { provider: provider.url })
  const setting = { seed, journal, ledger, provider: provider.url, proxy: proxy.url }
  const agents = await Part.start('agents', setting)
  const pool = new WorkerPool(setting)
  for (let count = 0; count < 3; count++) await pool.add()

  const ending = new AbortController()
  const counters = new Counters()
  const world = new World({ seed, counters, agents: agents.url, proxy: proxy.url, over: ending.signal, journals })
  // A client whose server dies throws where nobody waits for it, and the report has to tell why.
  const hear = (error: Error): unknown => world.problems.push(`nobody waited for an error: ${error.stack}`)
  process.on('uncaughtException', hear)
  const acting = [
    ...Array.from({ length: 6 }, (_, index) => () => speak(world, index)),
    ...Array.from({ length: 4 }, (_, index) => () => chat(world, index)),
    ...Array.from({ length: 2 }, (_, index) => () => send(world, index)),
    ...Array.from({ length: 3 }, (_, index) => () => look(world, index)),
    () => operate(world),
    () => killWorkers(world, pool, 1),
    () => killWorkers(world, pool, 2),
    () => restartServer(world, server),
  ].map(deed => keepAt(world, deed))

  const samples = new Samples()
  const measured = { worker: pool.steady, 'AG-UI server': agents, proxy, 'strict providers': provider }
  const begun = Date.now()
  const progress = setInterval(() => say(progressOf(world, [provider, proxy, agents], begun)), 15_000)
  for (const endsAt = begun + minutes * 60_000; Date.now() < endsAt; ) {
    for (const [name, part] of Object.entries(measured)) samples.take(name, await part.hold())
    await sleep(Math.max(0, Math.min(Math.max(1_000, minutes * 1_000), endsAt - Date.now())))
  }
  ending.abort()
  await Promise.all(acting)
  provider.tell('calm')
  say('nobody says anything new: all threads are brought to rest')
  const restless = await finishThreads(world)
  const views = await finishViews(world)
  clearInterval(progress)

  const parts = [...pool.workers, agents, proxy, provider]
  const stubborn: string[] = []
  for (const part of parts) if (!(await part.stop())) stubborn.push(`the ${part.name} did not end of itself`)
  for (const part of parts) counters.add(part.counts, part.name)
  say('every thread is judged')
  const wrongs = await judge(world, ledger, server.sql)
  for (const journal of [...ones, ...twins]) await journal.close()
  await server.stop()
  process.off('uncaughtException', hear)
  leftovers.folders.delete(folder)
  rmSync(folder, { recursive: true, force: true })

  const deaths = [...pool.workers, agents].flatMap(({ errors }) => errors)
  return findingsOf({
    ...{ seed, minutes, counters, wrongs, restless, views },
    ...{ growth: samples.growth, samples: samples.count },
    users: world.problems,
    refusals: provider.errors,
    repairs: proxy.errors,
    processes: [...deaths, ...pool.errors, ...stubborn],
  })
}

/** Goes on with it until it is over. An error that comes out is a problem. */
async function keepAt(world: World, deed: () => Promise<void>): Promise<void> {
  while (!world.over.aborted)
    try {
      await deed()
    } catch (error) {
      world.problems.push(`somebody could not go on: ${error instanceof Error ? error.stack : error}`)
      await sleep(1_000)
    }
}

function progressOf({ counters, problems }: World, parts: readonly Part[], begun: number): string {
  const [provider] = parts
  const errors = parts.flatMap(part => part.errors)
  return [
    `${Math.round((Date.now() - begun) / 1_000)} s`,
    `${counters.of('receipts')} receipts`,
    `${counters.sum('runs ')} runs`,
    `${provider.counts.requests ?? 0} requests`,
    `${counters.sum('verdict ')} decisions`,
    `${counters.of('interrupts')} interrupts`,
    `${counters.of('workers killed')} workers killed`,
    `${counters.sum('PostgreSQL ')} times PostgreSQL`,
    `${problems.length + errors.length} problems`,
  ].join(', ')
}
