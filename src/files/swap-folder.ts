import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { reasonOf, unreadable } from '../unreadable.ts'
import { isAlive } from './is-alive.ts'
import { syncFolder } from './swap-file.ts'

/**
 * Puts another folder in the place of one. `build` fills the new one, and may link files of the old one into it. No system
 * exchanges two folders in one stroke everywhere, so between two renames the folder has no name; whoever is stopped right
 * there leaves both beside it, and `finishSwaps` goes on with them.
 */
export function swapFolder(path: string, build: (folder: string) => void, isStill: () => boolean): void {
  const workshop = join(dirname(path), `${workshopName}${process.pid}`)
  const fresh = join(workshop, 'new', basename(path))
  const old = join(workshop, 'old', basename(path))
  try {
    rmSync(workshop, { recursive: true, force: true })
    for (const folder of [fresh, dirname(old)]) mkdirSync(folder, { recursive: true })
    build(fresh)
    for (const folder of foldersIn(fresh)) syncFolder(folder)
    if (!isStill())
      throw unreadable(
        path,
        'it changed while it was being healed, so it was left as it is',
        'close its program and try again',
      )
    renameSync(path, old)
    renameSync(fresh, path)
    syncFolder(dirname(path))
    rmSync(workshop, { recursive: true, force: true })
  } catch (error) {
    if (!existsSync(path) && existsSync(old)) renameSync(old, path)
    rmSync(workshop, { recursive: true, force: true })
    if ((error as { code?: string }).code === 'unreadable') throw error
    throw unreadable(path, `it cannot be replaced: ${reasonOf(error)}`, 'nothing was changed')
  }
}

const workshopName = '.antiphon-'

/** Whether a folder holds what a process that was stopped left of a swap. */
export const isWorkshop = (name: string): boolean => workshop.test(name)

const workshop = /^\.antiphon-(\d+)$/

/**
 * Finishes what processes that are gone have begun in a folder, and clears up behind them. Says which folders have got
 * their name back.
 */
export function finishSwaps(folder: string): string[] {
  const finished: string[] = []
  for (const entry of readdirSync(folder)) {
    const pid = workshop.exec(entry)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    for (const stage of ['new', 'old']) {
      const staged = join(folder, entry, stage)
      for (const name of existsSync(staged) ? readdirSync(staged) : []) {
        if (existsSync(join(folder, name))) continue
        renameSync(join(staged, name), join(folder, name))
        finished.push(join(folder, name))
      }
    }
    rmSync(join(folder, entry), { recursive: true, force: true })
  }
  if (finished.length > 0) syncFolder(folder)
  return finished
}

function* foldersIn(folder: string): Generator<string> {
  yield folder
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) yield* foldersIn(join(folder, entry.name))
}
