import { setTimeout as sleep } from 'node:timers/promises'
import { readEntries } from '../../src/journal/stores/read-all.ts'
import { ShownScreen } from '../journal/live/shown.ts'
import { Random } from '../laws/random.ts'
import { codeOf } from './open-again.ts'
import type { Place, World } from './world.ts'

/** What somebody has seen of a thread. */
export interface View extends Place {
  readonly screen: ShownScreen
}

/** Somebody who watches threads while they are answered: leaves in the middle of a word, and goes on there later, as another process sees it. */
export async function look(world: World, index: number): Promise<void> {
  const random = new Random(world.seed * 19_001 + index)
  const known = new Map<string, View>()
  while (!world.over.aborted) {
    await sleep(random.range(20, 200))
    if (world.current.size === 0) continue
    const place = random.pick([...world.current.values()])
    const key = `${place.dialect}, ${place.name}`
    const view = known.get(key) ?? { ...place, screen: new ShownScreen() }
    if (!known.has(key)) world.views.push(view)
    known.set(key, view)
    const signal = AbortSignal.any([world.over, AbortSignal.timeout(random.range(500, 6_000))])
    await readOn(world, view, random.range(0, 1), signal)
  }
}

/** Goes on where it has left, until it is over or has seen so many entries. */
async function readOn(world: World, view: View, twin: number, signal: AbortSignal, head = Infinity): Promise<void> {
  const { dialect, name, screen } = view
  try {
    await world.insist(async () => {
      if (screen.entries.length >= head) return
      const thread = world.thread(dialect, name, twin)
      for await (const item of thread.watch({ live: true, after: screen.after, signal })) {
        screen.take(item)
        if (screen.entries.length >= head) break
      }
    })
  } catch (error) {
    if (codeOf(error) === 'thread-erased') return
    world.problems.push(`${name}, as somebody saw it: ${error instanceof Error ? error.message : error}`)
  }
}

/** Everybody comes back when all is over. Gives back what was seen otherwise than it is recorded. */
export async function finishViews(world: World): Promise<string[]> {
  const problems: string[] = []
  for (const view of world.views) {
    const { dialect, name, screen } = view
    const { store } = world.journal(dialect)
    const row = await store.find(name)
    if (!row || row.state === 'erased') continue
    const recorded = []
    for await (const entry of readEntries(store, row)) recorded.push(entry)
    await readOn(world, view, 1, AbortSignal.timeout(20_000), recorded.length)
    world.counters.count('views')
    for (const [what, times] of Object.entries(screen.counts)) world.counters.count(`shown ${what}`, times)
    if (screen.text !== '') problems.push(`${dialect}, ${name}: "${screen.text}" was shown and never recorded`)
    const index = recorded.findIndex((entry, at) => JSON.stringify(entry) !== JSON.stringify(screen.entries[at]))
    if (index >= 0 || screen.entries.length > recorded.length)
      problems.push(`${dialect}, ${name}: entry ${index + 1} was seen as ${JSON.stringify(screen.entries[index])}`)
  }
  return problems
}
