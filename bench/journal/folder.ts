import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that is gone when the work is done, or when the process ends before, also by Ctrl-C. */
export async function inFolder<T>(work: (file: (name: string) => string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'antiphon-bench-'))
  const clear = (): void => rmSync(folder, { recursive: true, force: true })
  process.once('exit', clear)
  for (const signal of signals) process.once(signal, exit)
  try {
    return await work(name => join(folder, name))
  } finally {
    clear()
    process.off('exit', clear)
    for (const signal of signals) process.off(signal, exit)
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const

const exit = (): void => process.exit(1)

/** What a database takes on disk, with the files beside it. */
export function bytesOnDisk(file: string): number {
  const sizes = ['', '-wal', '-shm'].map(suffix => statSync(`${file}${suffix}`, { throwIfNoEntry: false })?.size ?? 0)
  return sizes.reduce((sum, size) => sum + size, 0)
}
