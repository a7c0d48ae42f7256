import { AntiphonError } from '../../core/errors.ts'

/** Something that cannot be read, or not be written: where, why, and what helps. */
export const unreadable = (place: string, reason: string, hint?: string): AntiphonError =>
  new AntiphonError('unreadable', `${place}: ${reason}`, hint === undefined ? {} : { hint })

/** What the system says of a file, in words. */
export function reasonOf(error: unknown): string {
  const { code } = error as { code?: string }
  return (code !== undefined && reasons[code]) || wordsOf(error)
}

export const wordsOf = (error: unknown): string => {
  if (error instanceof RangeError && error.message.includes('call stack')) return 'it is nested too deeply'
  return error instanceof Error ? error.message : String(error)
}

const reasons: Record<string, string | undefined> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  ENXIO: 'it is not a regular file',
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'there is no space left',
  ELOOP: 'its symbolic links go in a circle',
  ENAMETOOLONG: 'the name is too long',
  ERR_STRING_TOO_LONG: 'it is too large: more than 512 MB',
  ERR_FS_FILE_TOO_LARGE: 'it is too large: more than 512 MB',
}
