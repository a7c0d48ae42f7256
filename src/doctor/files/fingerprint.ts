import { statSync } from 'node:fs'

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
