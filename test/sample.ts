import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { root } from './programs.ts'

/**
 * What chooses the part of a long test that `npm test` tries: the commit, so that each tries another part, or
 * `ANTIPHON_SAMPLE`. With `ANTIPHON_SAMPLE=all`, as in `npm run fuzz`, all of it is tried.
 */
export const sampleSeed = process.env.ANTIPHON_SAMPLE ?? commit()

export const triesAll = sampleSeed === 'all'

const offset = digest('offset').readUInt32BE()

/** So many of all, in their order; another name chooses others. */
export function sampleOf<T>(all: readonly T[], count: number, name = ''): readonly T[] {
  if (triesAll || count >= all.length) return all
  const ranked = all
    .map((_, index) => ({ index, rank: digest(`${name} ${index}`) }))
    .sort((a, b) => a.rank.compare(b.rank))
  const chosen = new Set(ranked.slice(0, count).map(({ index }) => index))
  return all.filter((_, index) => chosen.has(index))
}

/** Every `share`-th of what is counted from 1 on, for those who do not know how many there are. */
export const isChosen = (nth: number, share: number): boolean => triesAll || nth % share === offset % share

/** So many of the numbers from 0 to `whole`, one after the other. */
export function seedsOf(whole: number, count: number): readonly number[] {
  if (triesAll || count >= whole) return Array.from({ length: whole }, (_, index) => index)
  const first = offset % (whole - count + 1)
  return Array.from({ length: count }, (_, index) => first + index)
}

function digest(what: string | number): Buffer {
  return createHash('sha256').update(`${sampleSeed} ${what}`).digest()
}

/** A copy without its history has no commit: it always tries the same part. */
function commit(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return 'no commit'
  }
}
