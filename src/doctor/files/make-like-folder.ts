import { fchmodSync, fchownSync, lchownSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it that are missing. Returns the topmost one that was made, if any. A superuser who repairs the store of
 * another user gives them to the owner of the folder that they are in: the program of that user must be able to write there.
 */
export function makeFolders(path: string): string | undefined {
  const made = mkdirSync(path, { recursive: true })
  if (made === undefined) return undefined
  const { uid, gid } = statSync(dirname(made))
  for (let folder = path; folder.length >= made.length; folder = dirname(folder))
    onlyForSuperuser(() => lchownSync(folder, uid, gid))
  return made
}

/** Gives a new file the owner of its folder. Only users who can read the folder can read the file. */
export function copyFolderOwner(handle: number, folder: string): void {
  const { uid, gid, mode } = statSync(folder)
  onlyForSuperuser(() => fchownSync(handle, uid, gid))
  fchmodSync(handle, mode & 0o666 & ~process.umask())
}

/** Only a superuser can change the owner of a file; others make files that are their own. */
function onlyForSuperuser(change: () => void): void {
  try {
    change()
  } catch {
    return
  }
}
