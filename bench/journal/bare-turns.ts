import { LapTimer, type Racer } from '../interleave.ts'
import { BareSqlite } from './bare-sqlite.ts'
import type { Changes } from './changes.ts'

/** Whole turns by bare SQL in a file of their own: each write is durable before the next begins, and is a lap. */
export async function openBareTurns(
  file: string,
  changes: readonly Changes[][],
  durability: 'full' | 'process' = 'full',
): Promise<Racer & { close(): void }> {
  const bare = await BareSqlite.open(file, durability)
  const [thread] = bare.addThreads(['bare'])
  return {
    run(round) {
      const timer = new LapTimer()
      for (const change of changes[round]) {
        bare.write(thread, change)
        timer.lap()
      }
      return timer.laps
    },
    close: () => bare.close(),
  }
}
