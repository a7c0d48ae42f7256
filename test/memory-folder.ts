import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const shared = '/dev/shm'
const roomMin = 4 * 2 ** 30

/**
 * A temporary folder in memory, for files that are written and thrown away by the thousand; undefined where there is none,
 * or too little room, or where programs may not be started from it. What a process has written outlives it there as on a
 * disk, and no test takes the power away.
 */
export function memoryFolder(): string | undefined {
  if (!existsSync(shared) || !isRoomy()) return undefined
  const folder = mkdtempSync(join(shared, 'antiphon-'))
  // Like any temporary folder: a server in it runs as another user.
  chmodSync(folder, 0o1777)
  if (runsPrograms(folder)) return folder
  rmSync(folder, { recursive: true, force: true })
  return undefined
}

function isRoomy(): boolean {
  const { bavail, bsize } = statfsSync(shared)
  return bavail * bsize >= roomMin && process.availableMemory() >= 2 * roomMin
}

function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
  try {
    execFileSync(program)
    return true
  } catch {
    return false
  } finally {
    rmSync(program)
  }
}
