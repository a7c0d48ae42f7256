import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// `cpSync` takes the functions that it works with for good when it is first used, so that must not be while they are watched.
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
 * Runs work with `before` called in front of every change to the disk, with its number from 0. What `before` throws, the
 * change throws; so a full disk can be had at any moment, and a look at the disk is what a kill at that moment would leave.
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
