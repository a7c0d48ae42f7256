import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { expectDone, expectSound } from './evidence.ts'
import type { Harness, Site } from './harness.ts'
import { linesOf } from './ledger.ts'
import type { Task } from './plan.ts'
import type { Stop } from './points.ts'
import { sorts } from './script.ts'

/** One process after the other is killed at its point, and then one is left alone. */
interface Kill {
  readonly sort: string
  readonly points: readonly (readonly [point: string, nth?: number])[]
}

/** The kills of every day, at every sort of point in every sort of scenario. */
const chosen: readonly Kill[] = [
  { sort: 'plain', points: [['inside input-submit']] },
  { sort: 'plain', points: [['after turn-start+input-admit']] },
  { sort: 'plain', points: [['response']] },
  { sort: 'plain', points: [['inside response-record']] },
  { sort: 'plain', points: [['after call-start']] },
  { sort: 'plain', points: [['tool after its effect'], ['after turn-resume+call-settle']] },
  { sort: 'parallel', points: [['tool before its effect', 2]] },
  { sort: 'parallel', points: [['after call-settle']] },
  { sort: 'approval', points: [['while parked']] },
  { sort: 'approval', points: [['after call-decide']] },
  { sort: 'steer', points: [['after renew']] },
  { sort: 'interrupt', points: [['after turn-interrupt']] },
  { sort: 'stream', points: [['stream in a call']] },
  { sort: 'outside', points: [['before call-settle', 2]] },
  { sort: 'worker', points: [['after call-start', 3]] },
  {
    sort: 'back',
    points: [['inside branch-fork'], ['after call-edit+call-decide'], ['before branch-fork+branch-switch']],
  },
  // A statement that was sent may have been carried out: what it writes does not come again.
  { sort: 'back', points: [['after branch-fork'], ['inside branch-switch'], ['inside history-compact']] },
  { sort: 'back', points: [['after history-compact']] },
  { sort: 'erasure', points: [['before erase'], ['after erase']] },
  { sort: 'agents', points: [['after call-park'], ['after call-start'], ['while parked']] },
]

/** After every kill a new process goes on, and in the end nothing is lost, nothing is done twice and nothing is open. */
export function checkKills(site: Site): void {
  describe.concurrent('killed', () => {
    test.each(chosen.map(kill => ({ ...kill, where: kill.points.map(point => point.join(' no. ')).join(', then ') })))(
      '[B400] in the scenario $sort at: $where',
      async ({ sort, points }) => {
        await using harness = site.harness()
        const task = taskOf(sort)
        for (const [point, nth = 1] of points) {
          const isKilled = await killAt(harness, task, { point, nth, signal: 'SIGKILL' })
          expect(isKilled, `it never came to: ${point}`).toBe(true)
        }
        await expectGoesOn(harness, task)
      },
    )

    test('[B401] at any moment, again and again', () => killAtRandom(site, 4))
  })
}

/** The same at every point of every scenario, and more often at random. */
export function checkManyKills(site: Site): void {
  let killed = 0

  test.each([...sorts, 'back', 'erasure', 'worker'])(
    '[B400] in the scenario %s at every point that it has',
    async sort => {
      const points = await pointsOf(site, sort)
      await threeAtATime(points, async point => {
        await using harness = site.harness()
        // Whether a lease is renewed in time is a matter of luck.
        if (await killAt(harness, taskOf(sort), { point, signal: 'SIGKILL' })) killed++
        await expectGoesOn(harness, taskOf(sort))
      })
    },
  )

  test.each([...sorts, 'back'])(
    '[B402] in the scenario %s one sleeps at every point, and wakes up when another has done it all',
    async sort => {
      const points = await pointsOf(site, sort)
      // A process that sleeps inside a transaction of SQLite makes all others wait, and no lease can help that.
      await threeAtATime(
        points.filter(point => !point.startsWith('inside')),
        point => sleepAt(site, taskOf(sort), point),
      )
    },
  )

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('[B401] at any moment, again and again (%i)', async () => {
    await killAtRandom(site, 5)
    killed += 5
  })

  test('[B400] that makes 200 kills', () => {
    console.info(`${killed} processes were killed`)
    expect(killed).toBeGreaterThanOrEqual(200)
  })
}

/** Every point that a scenario has. */
async function pointsOf(site: Site, sort: string): Promise<string[]> {
  await using harness = site.harness()
  await expectGoesOn(harness, taskOf(sort))
  return linesOf(harness.lines(), 'point').map(({ point }) => point)
}

async function threeAtATime<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  await Promise.all(
    [1, 2, 3].map(async () => {
      for (const item of queue) await work(item)
    }),
  )
}

function taskOf(sort: string): Task {
  if (sort === 'back') return { do: 'go back', thread: 'thread' }
  if (sort === 'erasure') return { do: 'erase', thread: 'thread' }
  if (sort === 'worker') return { do: 'work', inputs: sorts.map((sort, index) => `${sort} <in-${index}>`) }
  return { do: 'converse', thread: 'thread', inputs: [`${sort} <in-1>`, 'plain <in-2>'] }
}

/** False if it ended well, without having come to the point. */
async function killAt(harness: Harness, task: Task, stop: Stop): Promise<boolean> {
  const end = await harness.run(task, { stop })
  if (end.signal !== 'SIGKILL') expectDone(end)
  await expectSound(harness, false)
  return end.signal === 'SIGKILL'
}

async function sleepAt(site: Site, task: Task, point: string): Promise<void> {
  await using harness = site.harness()
  const sleeper = await harness.start(task, { stop: { point, signal: 'SIGSTOP' } })
  await Promise.race([
    sleeper.ended,
    harness.until(lines => linesOf(lines, 'point').some(line => line.point === point)),
  ])
  expectDone(await harness.run(task))
  const end = await sleeper.wake()
  // Another process owns the turn, or has summarized what it was about to.
  if (end.report?.kind === 'failed') expect(['fenced', 'unsafe-cut']).toContain(end.report.code)
  else expectDone(end)
  await expectSound(harness, false)
  // It may have said something when it woke up that nobody has answered yet.
  await expectGoesOn(harness, task)
}

/** Kills so many processes that talk on and on, and lets one have all of it said. */
async function killAtRandom(site: Site, rounds: number): Promise<void> {
  await using harness = site.harness()
  const inputs: string[] = []
  const task: Task = { do: 'converse', thread: 'thread', inputs }
  for (let killed = 0; killed < rounds; ) {
    for (const sort of sorts) inputs.push(`${sort} <in-${inputs.length}>`)
    const child = await harness.start(task)
    await sleep(Math.random() * spanMs)
    child.kill('SIGKILL')
    const end = await child.ended
    // One that was faster than its murderer has ended well, and does not count.
    if (end.signal === 'SIGKILL') killed++
    else expectDone(end)
    await expectSound(harness, false)
  }
  await expectGoesOn(harness, task)
}

/** About as long as it takes to say something of every sort. */
const spanMs = 700

async function expectGoesOn(harness: Harness, task: Task): Promise<void> {
  expectDone(await harness.run(task))
  const threads = await expectSound(harness, true)
  if (task.do === 'erase') expect(threads).toEqual(new Map())
  for (const [name, entries] of threads) {
    const ends = entries.flatMap(entry => (entry.kind === 'turn-end' ? [entry.status] : []))
    expect(
      ends.filter(status => status !== 'done' && status !== 'interrupted'),
      name,
    ).toEqual([])
  }
}
