import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isAtWork } from './processes/is-alive.ts'

/** The temporary name of new bytes until they are complete. Leftovers of processes that ended are removed. */
export function draftOf(path: string): string {
  clearDrafts(dirname(path), basename(path))
  return draftFor(path)
}

/** The same name, without removing anything. */
export const draftFor = (path: string): string => join(dirname(path), `.${basename(path)}.${process.pid}.antiphon`)

/** A name for a version that a program wrote to after it was replaced. It is not a draft, and is never removed. */
export function keptNameOf(path: string): string {
  for (let number = 0; ; number++) {
    const name = `${draftFor(path)}-kept${number === 0 ? '' : `-${number}`}`
    if (!existsSync(name)) return name
  }
}

/** Whether a name is that of a draft, or of a file that a draft replaces. */
export const isDraft = (name: string): boolean => form.test(name)

const form = /^\..+\.(\d+)\.antiphon(-old)?$/

/** Removes the drafts in a folder that ended processes left: all of them, or those of one file. */
export function clearDrafts(folder: string, name?: string): void {
  for (const entry of readdirSync(folder)) {
    const pid = name === undefined || entry.startsWith(`.${name}.`) ? form.exec(entry)?.[1] : undefined
    if (pid !== undefined && !isAtWork(Number(pid))) rmSync(join(folder, entry), { force: true })
  }
}

/** Removes them in a folder and in all folders below it. Links are not followed. */
export function clearDraftsBelow(folder: string): void {
  const coming = [folder]
  for (let place = coming.pop(); place !== undefined; place = coming.pop()) {
    const entries = readdirSync(place, { withFileTypes: true })
    if (entries.some(({ name }) => isDraft(name))) clearDrafts(place)
    for (const entry of entries) if (entry.isDirectory()) coming.push(join(place, entry.name))
  }
}
