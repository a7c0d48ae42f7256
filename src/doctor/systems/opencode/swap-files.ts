import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { AntiphonError } from '../../../core/errors.ts'
import { draftFor } from '../../files/drafts.ts'
import { failureReason, fileError } from '../../files/file-error.ts'
import { type Fingerprint, fingerprint, isSameFile } from '../../files/fingerprint.ts'
import { copyFolderOwner, makeFolders } from '../../files/make-like-folder.ts'
import { mustHaveNoLinks } from '../../files/no-links.ts'
import {
  type AssertUnused,
  continued,
  copyOwnerAndTimes,
  mustBeWritable,
  syncFolder,
  takeBack,
} from '../../files/swap-file.ts'

/** A file that gets another text, is created (no `before`) or is removed (no `text`). */
export interface FileSwap {
  readonly file: string
  readonly before?: Fingerprint
  readonly text?: string
}

/**
 * Changes several files, all or none: everything is written next to them first, so that all space is used before the
 * first one changes. If it is interrupted, each file is the old or the new one, and another repair completes it.
 */
export function swapFiles(swaps: readonly FileSwap[], store: string, assertUnused: AssertUnused | undefined): void {
  const undo: (() => Error | undefined)[] = []
  const clear: (() => void)[] = []
  let place = swaps[0]?.file ?? ''
  try {
    for (const swap of swaps) {
      place = swap.file
      mustBeAsBefore(swap, store)
      prepare(swap, clear)
    }
    assertUnused?.()
    for (const swap of swaps) {
      place = swap.file
      mustBeAsBefore(swap, store)
      exchange(swap, undo)
    }
    const olds = swaps.flatMap(({ file, before }) => (before ? [oldOf(file)] : []))
    if (olds.length > 0) assertUnused?.(...olds)
    for (const swap of swaps) {
      place = swap.file
      if (swap.before && !isSameFile(fingerprint(oldOf(swap.file)), swap.before)) throw changed(swap.file)
    }
    for (const folder of new Set(swaps.map(({ file }) => dirname(file)))) syncFolder(folder)
  } catch (error) {
    const left = undo.reverse().flatMap(step => step() ?? [])
    if (left[0]) throw left[0]
    if (AntiphonError.is(error)) throw error
    throw fileError(place, `it cannot be replaced: ${failureReason(error)}`, 'nothing was changed')
  } finally {
    for (const step of clear) step()
  }
}

function mustBeAsBefore({ file, before }: FileSwap, store: string): void {
  mustHaveNoLinks(store, file)
  if (before) mustBeWritable(file, file)
  if (before ? isSameFile(fingerprint(file), before) : !existsSync(file)) return
  throw changed(file)
}

const changed = (file: string): Error =>
  fileError(file, 'it changed during the repair, so it was left as it is', 'close its program and try again')

const oldOf = (file: string): string => `${draftFor(file)}-old`

function prepare({ file, before, text }: FileSwap, clear: (() => void)[]): void {
  const [draft, old] = [draftFor(file), oldOf(file)]
  clear.push(() => {
    for (const path of [draft, old]) rmSync(path, { force: true })
  })
  if (before) {
    rmSync(old, { force: true })
    linkSync(file, old)
  }
  if (text === undefined) return
  const made = makeFolders(dirname(file))
  if (made !== undefined) clear.push(() => removeIfEmpty(dirname(file)))
  rmSync(draft, { force: true })
  writeFileSync(draft, text, { flag: 'wx', mode: 0o600 })
  const handle = openSync(draft, 'r+')
  try {
    if (before) copyOwnerAndTimes(handle, file)
    else copyFolderOwner(handle, dirname(file))
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function exchange({ file, before, text }: FileSwap, undo: (() => Error | undefined)[]): void {
  const draft = draftFor(file)
  const written = text === undefined ? undefined : fingerprint(draft)
  undo.push(() => (before ? takeBack({ path: file, old: oldOf(file), before, written }, file) : remove(file, written)))
  if (text === undefined) rmSync(file)
  else renameSync(draft, file)
}

/** Removes a file that was created, unless a program has written to it since. */
function remove(file: string, written: Fingerprint | undefined): Error | undefined {
  if (!existsSync(file)) return undefined
  if (!written || !isSameFile(fingerprint(file), written)) return continued(file)
  rmSync(file, { force: true })
  return undefined
}

function removeIfEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}
