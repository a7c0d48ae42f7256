import { statSync } from 'node:fs'
import { AntiphonError } from '../../errors.ts'

/**
 * A file that is removed, or replaced by another one, takes writes as long as it is open, and nobody ever reads them. The
 * check that this gives throws once it has come to that.
 */
export function whetherStillThere(file: string | null): () => void {
  if (file === null) return () => {}
  const opened = identityOf(file)
  return () => {
    if (identityOf(file) === opened) return
    throw new AntiphonError('journal-unreachable', `${file} was removed or replaced while it was open`, {
      hint: 'Nothing of the write was stored. Put the file back, or open the journal again.',
    })
  }
}

function identityOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false })
  return found && `${found.dev} ${found.ino}`
}
