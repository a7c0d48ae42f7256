import { AntiphonError } from '../../core/errors.ts'
import { printable } from '../../core/printable.ts'
import { createTape, type Tape, type TapeOptions } from './create-tape.ts'
import { isTape } from './read-tape.ts'

/**
 * Opens a tape that appends to a file. Any number of processes may share it: each line is one write at the end of the file. If other
 * users may read the file, their access is removed with a warning; if that fails, nothing is written.
 */
export function openTape(file: string, options: Omit<TapeOptions, 'write'> = {}): Tape {
  let append: ((line: string) => void) | undefined
  return createTape({
    ...options,
    write: line => {
      append ??= openForAppend(file)
      append(line)
    },
  })
}

/**
 * Opens a file for one writer of several. Every write starts with a line break, since another writer may have been killed in the middle of a
 * line; readers skip blank lines.
 */
function openForAppend(file: string): (line: string) => void {
  const { writeSync, fstatSync } = fileSystem()
  const handle = openForOwner(file)
  let isEmpty = fstatSync(handle).size === 0
  return line => {
    const bytes = new TextEncoder().encode(isEmpty ? line : `\n${line}`)
    const length = writeSync(handle, bytes)
    isEmpty &&= length === 0
    if (length < bytes.length) throw new Error(`${file}: a line could not be written completely`)
  }
}

/**
 * Opens a tape for appending that only its owner may read or write. Throws if it cannot be opened, if its mode cannot be changed, or if
 * the file has content that is not a tape.
 */
export function openForOwner(file: string): number {
  const { openSync, closeSync, fstatSync, fchmodSync, statSync, constants } = fileSystem()
  // A write to a pipe that is not read must fail rather than stop the program.
  const isPipe = statSync(file, { throwIfNoEntry: false })?.isFIFO() === true
  const handle = openSync(file, isPipe ? constants.O_WRONLY | constants.O_NONBLOCK : 'a+', 0o600)
  const stats = fstatSync(handle)
  if (stats.isFile() && stats.size > 0 && !beginsAsTape(handle)) {
    closeSync(handle)
    throw new AntiphonError('unreadable', `${file} is not a tape, so nothing is recorded to it`, {
      hint: 'record to a new file',
    })
  }
  // Pipes and terminals store nothing, and Windows has no mode bits.
  if (!stats.isFile() || process.platform === 'win32' || (stats.mode & 0o077) === 0) return handle
  const mode = (stats.mode & 0o777).toString(8)
  try {
    fchmodSync(handle, stats.mode & 0o700)
  } catch (cause) {
    closeSync(handle)
    throw new AntiphonError(
      'unreadable',
      `${file}: others may read it (mode ${mode}), and its mode cannot be changed`,
      {
        hint: 'record to another file, or have its owner run chmod 600 on it',
        cause,
      },
    )
  }
  const warning = `${file}: others could read it (mode ${mode}); now only its owner can`
  process.emitWarning(printable(warning), { code: 'ANTIPHON_TAPE' })
  return handle
}

function beginsAsTape(handle: number): boolean {
  const bytes = new Uint8Array(headMax)
  const length = fileSystem().readSync(handle, bytes, 0, headMax, 0)
  return isTape(new TextDecoder().decode(bytes.subarray(0, length)))
}

const headMax = 10_000

/** Loaded only when a file is opened, so that importing this module works in runtimes without a file system. */
function fileSystem(): typeof import('node:fs') {
  const host = (globalThis as { process?: Partial<NodeJS.Process> }).process
  const files = host?.getBuiltinModule?.('node:fs')
  if (!files) throw new Error('this runtime has no file system')
  return files
}
