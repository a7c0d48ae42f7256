import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { failureReason, fileError } from '../files/file-error.ts'

/**
 * Writes a new file and the folders that it needs. Only its owner can read it. Nothing is overwritten, and nothing is
 * left of a file that could not be written to its end.
 */
export function createFile(file: string, text: string, hint: string): void {
  const attempt = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw fileError(file, failureReason(error), hint)
    }
  }
  attempt(() => mkdirSync(dirname(file), { recursive: true, mode: 0o700 }))
  const handle = attempt(() => openSync(file, 'wx', 0o600))
  try {
    attempt(() => {
      writeFileSync(handle, text)
      fsyncSync(handle)
    })
  } catch (error) {
    rmSync(file)
    throw error
  } finally {
    closeSync(handle)
  }
}
