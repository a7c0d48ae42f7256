import { statSync } from 'node:fs'
import { AntiphonError } from '../../../core/errors.ts'

/**
 * A file that is removed, or replaced by another one, takes writes as long as it is open, and nobody ever reads them. The
 * check that this gives throws once it has come to that, a few milliseconds later at most. The path is the one that others open the journal by: a link in it
 * that leads elsewhere by now has replaced the file as well.
 */
export function fileIdentityCheck(path: string | null): () => void {
  if (path === null) return () => {}
  const opened = identityOf(path)
  let askedAt = 0
  return () => {
    // To ask costs as much as a small write does without fsync.
    const now = performance.now()
    if (now - askedAt < pauseMs) return
    if (opened !== undefined && identityOf(path) === opened) {
      askedAt = now
      return
    }
    throw new AntiphonError('journal-unreachable', `${path} was removed or replaced while it was open`, {
      hint: 'Nothing of the write was stored. Put the file back, or open the journal again.',
    })
  }
}

const pauseMs = 10

function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}
