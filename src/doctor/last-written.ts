import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isUrl } from './peek.ts'

/** When a store was last written, in milliseconds; of a folder, the newest of its entries. Undefined for what is not a file or a folder. */
export function lastWritten(path: string): number | undefined {
  if (isUrl(path)) return undefined
  try {
    const stat = lstatSync(path)
    if (!stat.isDirectory()) return stat.mtimeMs
    const entries = readdirSync(path).slice(0, entriesMax)
    return entries.reduce((newest, name) => Math.max(newest, timeOf(join(path, name))), stat.mtimeMs)
  } catch {
    return undefined
  }
}

const timeOf = (path: string): number => lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** A folder with more entries than this is a folder of many conversations. */
const entriesMax = 1_000
