import { zstdCompressSync } from 'node:zlib'
import { Random } from '../../../laws/random.ts'
import { RolloutWriter } from './rollout-writer.ts'

/** A home of Codex with one thread, or with a thread and a fork of it. The last file is the one that continues. */
export interface Home {
  readonly files: Map<string, Buffer>
  /** The rollout that is looked at; a fork's, if there is one. */
  readonly path: string
}

/**
 * A healthy home: several turns, calls of every kind, everything else that Codex writes, and some things that it will
 * write.
 */
export function generate(seed: number): Home {
  const random = new Random(seed)
  const mode = random.chance(0.4) ? 'paginated' : 'legacy'
  const writer = new RolloutWriter(random, mode)
  const turns = random.range(2, 5)
  for (let turn = 0; turn < turns; turn++) {
    if (turn > 0 && random.chance(0.25)) writer.compaction()
    writer.turn()
    if (mode === 'legacy' && turn > 0 && random.chance(0.15)) writer.rollback()
  }
  const files = new Map<string, Buffer>()
  const isPacked = random.chance(0.2)
  const keep = (rollout: RolloutWriter): string => {
    const path = `${rollout.path}${isPacked ? '.zst' : ''}`
    files.set(path, isPacked ? zstdCompressSync(rollout.bytes()) : rollout.bytes())
    return path
  }
  let path = keep(writer)
  if (mode === 'paginated' && random.chance(0.4)) {
    const fork = writer.fork()
    fork.turn()
    if (random.chance(0.3)) fork.compaction()
    fork.turn()
    path = keep(fork)
  }
  return { files, path }
}
