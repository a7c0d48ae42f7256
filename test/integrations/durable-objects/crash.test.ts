import { afterAll, expect, test } from 'vitest'
import { inputs, openThreadObjects } from './thread-objects.ts'

const objects = await openThreadObjects()
afterAll(() => objects.close())

/** How many points an object reaches that does not crash. */
const pointsOf = new Map<string, number>()

test.each(inputs)('[OB1] the alarm runs a turn: %s', async input => {
  const { points, instances } = await objects.crashed(`calm-${input}`, input, { at: 0, kind: 'abort' })
  pointsOf.set(input, points)
  expect(points).toBeGreaterThan(10)
  expect(instances).toBe(1)
})

test('[OB2] an object that crashes in or after any of its writes continues its turn', async () => {
  const crashes = inputs.flatMap(input => pointsTo(pointsOf.get(input) ?? 0).map(at => ({ input, at })))
  const states = await Promise.all(
    crashes.map(({ input, at }) => objects.crashed(`abort-${input}-${at}`, input, { at, kind: 'abort' })),
  )
  // How often an object writes depends a little on time, such as when a decision comes.
  const crashed = states.filter(({ instances }) => instances === 2)
  expect(crashed.length).toBeGreaterThan(0.9 * crashes.length)
})

test('[OB2] a runtime that is killed in or after a write continues the turns of its objects', async () => {
  const crashes = inputs.flatMap(input => pointsTo(pointsOf.get(input) ?? 0).map(at => ({ input, at })))
  const some = crashes.filter((_, index) => index % 9 === 4)
  for (const { input, at } of some) await objects.crashed(`kill-${input}-${at}`, input, { at, kind: 'kill' })
  expect(objects.kills()).toBeGreaterThan(0.7 * some.length)
})

const pointsTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1)
