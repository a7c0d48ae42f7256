import { existsSync, renameSync, rmSync } from 'node:fs'
import { draftFor } from '../files/drafts.ts'
import { type Fingerprint, type Fingerprints, fingerprint, isSameFile, mustBeUnchanged } from '../files/fingerprint.ts'
import { type AssertUnused, continued, linkIfPossible, takeBack } from '../files/swap-file.ts'

/** A file that is replaced by its draft, or removed if it has none. */
export interface Exchange {
  readonly path: string
  readonly draft?: string
}

interface Exchanged {
  readonly path: string
  readonly old: string
  readonly before: Fingerprint | undefined
  readonly written: Fingerprint | undefined
  /** Whether the old version still has a name; some file systems do not support hard links. */
  readonly isWatched: boolean
}

/**
 * Replaces and removes files, all or none. Each must be as it is `known`, until it is replaced. If a program wrote to one
 * at the last moment, or `last` throws because one has an old version open, all old versions are put back. `guard` is
 * called right before each change.
 */
export function exchangeFiles(
  exchanges: readonly Exchange[],
  known: Fingerprints,
  changed: () => Error,
  guard: (path: string) => void,
  assertUnused: AssertUnused,
): void {
  const done: Exchanged[] = []
  try {
    for (const exchange of exchanges) {
      guard(exchange.path)
      replace(exchange, known, changed, done)
    }
    const watched = done.filter(({ isWatched }) => isWatched)
    if (watched.length > 0) assertUnused(...watched.map(({ old }) => old))
    for (const { old, before } of watched) if (before && !isSameFile(fingerprint(old), before)) throw changed()
  } catch (error) {
    const left = done.reverse().flatMap(one => revert(one) ?? [])
    throw left[0] ?? error
  } finally {
    for (const { old } of done) rmSync(old, { force: true })
  }
}

function replace({ path, draft }: Exchange, known: Fingerprints, changed: () => Error, done: Exchanged[]): void {
  const old = `${draftFor(path)}-old`
  rmSync(old, { force: true })
  const before = known.has(path) ? known.get(path) : existsSync(path) ? fingerprint(path) : undefined
  const written = draft === undefined ? undefined : fingerprint(draft)
  const isWatched = before !== undefined && existsSync(path) && linkIfPossible(path, old)
  try {
    // A program may have put another file in its place, and that one has no second name.
    mustBeUnchanged(new Map([[path, before]]), changed)
  } catch (error) {
    rmSync(old, { force: true })
    throw error
  }
  done.push({ path, old, before, written, isWatched })
  if (draft === undefined) rmSync(path, { force: true })
  else renameSync(draft, path)
}

function revert({ path, old, before, written, isWatched }: Exchanged): Error | undefined {
  if (before) return isWatched ? takeBack({ path, old, before, written }, path) : undefined
  if (!existsSync(path)) return undefined
  if (!written || !isSameFile(fingerprint(path), written)) return written ? continued(path) : undefined
  rmSync(path, { force: true })
  return undefined
}
