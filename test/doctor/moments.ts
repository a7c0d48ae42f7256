import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// `cpSync` captures the functions that it uses on first use, so that must not happen while they are watched.
const scratch = fs.mkdtempSync(join(tmpdir(), 'antiphon-copy-'))
fs.cpSync(scratch, `${scratch}-2`, { recursive: true })
for (const folder of [scratch, `${scratch}-2`]) fs.rmSync(folder, { recursive: true })

/** Everything by which a program changes what is on disk. */
const changing = [
  ...['writeSync', 'writeFileSync', 'appendFileSync', 'ftruncateSync', 'truncateSync', 'copyFileSync', 'cpSync'],
  ...['renameSync', 'linkSync', 'symlinkSync', 'rmSync', 'unlinkSync', 'rmdirSync', 'mkdirSync', 'mkdtempSync'],
  ...['openSync', 'fsyncSync', 'futimesSync', 'utimesSync', 'fchmodSync', 'fchownSync', 'chmodSync'],
] as const

/**
 * Runs work with `before` called before every change to the disk, with its number from 0. What `before` throws, the
 * change throws; so the disk can be full at any moment, and the disk at that moment is what a kill would leave.
 */
export async function atEveryMoment<T>(
  before: (number: number, name: string, args: readonly unknown[]) => void,
  work: () => Promise<T>,
): Promise<T> {
  const originals = new Map<string, unknown>()
  const functions = fs as unknown as Record<string, (...args: unknown[]) => unknown>
  let number = 0
  let isInside = false
  for (const name of changing) {
    const original = functions[name]
    originals.set(name, original)
    functions[name] = (...args) => {
      if (isInside || (name === 'openSync' && isRead(args[1]))) return original.apply(fs, args)
      isInside = true
      try {
        before(number++, name, args)
        return original.apply(fs, args)
      } finally {
        isInside = false
      }
    }
  }
  syncBuiltinESMExports()
  try {
    return await work()
  } finally {
    for (const [name, original] of originals) functions[name] = original as (...args: unknown[]) => unknown
    syncBuiltinESMExports()
  }
}

function isRead(flags: unknown): boolean {
  const { O_WRONLY, O_RDWR, O_CREAT } = fs.constants
  return typeof flags === 'number' ? (flags & (O_WRONLY | O_RDWR | O_CREAT)) === 0 : (flags ?? 'r') === 'r'
}

/** The error of a disk that is full. */
export const noSpace = (): Error =>
  Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })

/** Removing something works on a full disk. */
export const takesSpace = (name: string): boolean => !['rmSync', 'unlinkSync', 'rmdirSync'].includes(name)
