import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A folder's files, with their bytes. */
export function snapshot(folder: string): Map<string, Buffer> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).filter(path => !passing.test(path))
  return new Map(paths.flatMap(path => bytesOf(path)))
}

/** SQLite keeps there who reads and writes at present; nothing of it outlives the program. */
const passing = /-shm$/

function bytesOf(path: string): [string, Buffer][] {
  try {
    return [[path, readFileSync(path)]]
  } catch {
    // The program itself has removed it.
    return []
  }
}

/** The files that two snapshots do not have in common. */
export function differences(before: Map<string, Buffer>, after: Map<string, Buffer>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(path => {
    const [old, now] = [before.get(path), after.get(path)]
    return !old || !now || !old.equals(now)
  })
}

/** Whether a file has all that it had, and more after it. */
export const hasGrown = (before: Buffer | undefined, after: Buffer | undefined): boolean =>
  after?.subarray(0, before?.length ?? 0).equals(before ?? gone) ?? false

const gone = Buffer.from('gone')
