import { afterAll, expect, test } from 'vitest'
import { inputs, openThreadObjects } from './thread-objects.ts'

const objects = await openThreadObjects()
afterAll(() => objects.close())

const count = Number(process.env.OBJECTS ?? 1_000)
const wave = 100

test(`[OB7] ${count} objects that crash and are evicted at random keep every promise`, async () => {
  const found = { objects: 0, crashes: 0, evictions: 0 }
  for (let from = 0; from < count; from += wave) {
    const states = await Promise.all(
      Array.from({ length: Math.min(wave, count - from) }, (_, index) => {
        // Two of each wave kill the whole runtime, and with it all objects of the wave.
        const kind = index % 50 === 49 ? 'kill' : 'abort'
        const at = 1 + Math.floor(Math.random() * 25)
        const input = inputs[(from + index) % inputs.length]
        return objects.crashed(`random-${from + index}`, input, { at, kind }, pause)
      }),
    )
    found.objects += states.length
    found.crashes += states.filter(({ instances }) => instances > 1).length
    found.evictions += states.reduce((sum, { instances }) => sum + instances - 1, 0)
  }
  console.log(`${JSON.stringify(found)}, ${objects.kills()} kills of the runtime`)
  expect(found.crashes).toBeGreaterThan(count / 4)
})

/** Half of the objects are left alone for so long that the runtime takes those that wait out of memory. */
const pause = async (): Promise<void> => {
  if (Math.random() < 0.5) await new Promise(resolve => setTimeout(resolve, 12_000))
}
