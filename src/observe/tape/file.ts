import { AntiphonError } from '../../core/errors.ts'
import { plain } from '../../core/plain.ts'
import { createTape, type Tape, type TapeOptions } from './create-tape.ts'

/**
 * A tape that appends to a file. Any number of processes may share it: a line is one write at the end of the file. A file that others
 * may read is closed to them first, with a warning; if that cannot be done, nothing is written.
 */
export function openTape(file: string, options: Omit<TapeOptions, 'write'> = {}): Tape {
  let append: ((line: string) => void) | undefined
  return createTape({
    ...options,
    write: line => {
      append ??= opened(file)
      append(line)
    },
  })
}

/**
 * Opens a file for one writer. If a line could not be written whole, or the file ends in half a line of a writer that
 * died, the next line begins on a new one. Nobody but its owner may read the file.
 */
function opened(file: string): (line: string) => void {
  const { writeSync, fstatSync, readSync } = fileSystem()
  const handle = openForOwner(file)
  const { size } = fstatSync(handle)
  const last = new Uint8Array(1)
  let isHalf = size > 0 && readSync(handle, last, 0, 1, size - 1) === 1 && last[0] !== lineFeed
  return line => {
    const bytes = new TextEncoder().encode(isHalf ? `\n${line}` : line)
    isHalf = true
    isHalf = writeSync(handle, bytes) < bytes.length
    if (isHalf) throw new Error(`${file}: a line could not be written whole`)
  }
}

const lineFeed = 0x0a

/** Opens a file to append to that nobody but its owner may read or write. Throws if it cannot be opened, or not be closed to others. */
export function openForOwner(file: string): number {
  const { openSync, closeSync, fstatSync, fchmodSync } = fileSystem()
  const handle = openSync(file, 'a+', 0o600)
  const stats = fstatSync(handle)
  // A pipe or a terminal keeps nothing, and Windows has rights of another kind.
  if (!stats.isFile() || process.platform === 'win32' || (stats.mode & 0o077) === 0) return handle
  const others = `others may read it (mode ${(stats.mode & 0o777).toString(8)})`
  try {
    fchmodSync(handle, stats.mode & 0o700)
  } catch (cause) {
    closeSync(handle)
    throw new AntiphonError('unreadable', `${file}: ${others}, and its mode cannot be changed`, {
      hint: 'record to another file, or have its owner run chmod 600 on it',
      cause,
    })
  }
  const warning = `${file}: ${others.replace('may', 'could')}; now its owner alone can`
  process.emitWarning(plain(warning), { code: 'ANTIPHON_TAPE' })
  return handle
}

/** Asked for only when a file is opened, so that whoever imports this runs where there are no files, too. */
function fileSystem(): typeof import('node:fs') {
  const host = (globalThis as { process?: Partial<NodeJS.Process> }).process
  const files = host?.getBuiltinModule?.('node:fs')
  if (!files) throw new Error('there are no files here')
  return files
}
