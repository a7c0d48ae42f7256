import { existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { clearDrafts, clearDraftsBelow } from '../files/drafts.ts'
import { finishSwaps, swapFoldersIn } from '../files/swap-folder.ts'
import { isUrl } from '../peek.ts'

/** Removes what interrupted repairs left next to a path that the user named. */
export function clearUpNextTo(path: string): void {
  if (isUrl(path)) return
  quietly(() => {
    const real = realpathSync(path)
    const [folder, name] = [dirname(real), basename(real)]
    if (!statSync(real).isDirectory()) clearDrafts(folder, name)
    else if (swapFoldersIn(folder).some(place => ['old', 'new'].some(side => existsSync(join(place, side, name)))))
      finishSwaps(folder)
  })
}

/** Removes what they left directly in a folder, not below it. */
export const clearUpIn = (folder: string): void => quietly(() => clearDrafts(folder))

/** Removes what they left in a store that is a folder. */
export function clearUpBelow(store: string): void {
  if (isUrl(store)) return
  quietly(() => {
    if (statSync(store).isDirectory()) clearDraftsBelow(store)
  })
}

/** A file that cannot be removed does not stop the repair. */
function quietly(work: () => void): void {
  try {
    work()
  } catch {
    return
  }
}
