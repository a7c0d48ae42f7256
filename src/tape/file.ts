import { createTape, type Tape, type TapeOptions } from './create-tape.ts'

/** A tape that appends to a file. Any number of processes may share it: a line is one write at the end of the file. */
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
  const { openSync, writeSync, fstatSync, readSync } = fileSystem()
  const handle = openSync(file, 'a+', 0o600)
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

/** Asked for only when a file is opened, so that whoever imports this runs where there are no files, too. */
function fileSystem(): typeof import('node:fs') {
  const host = (globalThis as { process?: Partial<NodeJS.Process> }).process
  const files = host?.getBuiltinModule?.('node:fs')
  if (!files) throw new Error('there are no files here')
  return files
}
