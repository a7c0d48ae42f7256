import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A folder's files, each with a hash of its bytes. */
export function snapshot(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).filter(path => !passing.test(path))
  return new Map(paths.flatMap(path => hashOf(path)))
}

/** SQLite keeps there who reads and writes at present; nothing of it outlives the program. */
const passing = /-shm$/

function hashOf(path: string): [string, string][] {
  try {
    return [[path, createHash('sha256').update(readFileSync(path)).digest('hex')]]
  } catch {
    // The program itself has removed it.
    return []
  }
}

/** The files that two snapshots do not have in common. */
export function differences(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(path => before.get(path) !== after.get(path))
}
