import { statSync } from 'node:fs'
import { AntiphonError } from '../../../core/errors.ts'

/**
 * A file that was removed or replaced still accepts writes while it is open, and those writes are lost. The returned check
 * throws within a few milliseconds after that. The path is the one that other processes open, so a symbolic link that now
 * points elsewhere counts as a replaced file.
 */
export function fileIdentityCheck(path: string | null): () => void {
  if (path === null) return () => {}
  const opened = identityOf(path)
  let checkedAt = 0
  return () => {
    // A check costs as much as a small write without fsync.
    const now = performance.now()
    if (now - checkedAt < pauseMs) return
    if (opened !== undefined && identityOf(path) === opened) {
      checkedAt = now
      return
    }
    throw new AntiphonError('journal-unreachable', `${path} was removed or replaced while it was open`, {
      hint: 'nothing of the write was stored; put the file back, or open the journal again',
    })
  }
}

const pauseMs = 10

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}
