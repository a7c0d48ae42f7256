import { existsSync, statSync } from 'node:fs'

/** Identifies the version of a file that was read. */
export interface Fingerprint {
  readonly inode: bigint
  readonly size: bigint
  readonly modifiedNs: bigint
}

export function fingerprint(path: string): Fingerprint {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true })
  return { inode: ino, size, modifiedNs: mtimeNs }
}

export const isSameFile = (one: Fingerprint, other: Fingerprint): boolean =>
  one.inode === other.inode && one.size === other.size && one.modifiedNs === other.modifiedNs

/** Files as they are now; undefined for one that does not exist. */
export type Fingerprints = ReadonlyMap<string, Fingerprint | undefined>

export const fingerprints = (paths: readonly string[]): Fingerprints =>
  new Map(paths.map(path => [path, existsSync(path) ? fingerprint(path) : undefined]))

/** Throws if one of the files was changed, removed or created since. */
export function mustBeUnchanged(known: Fingerprints, error: () => Error): void {
  for (const [path, now] of fingerprints([...known.keys()])) {
    const before = known.get(path)
    const isSame = now && before ? isSameFile(now, before) : now === before
    if (!isSame) throw error()
  }
}
