import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { AntiphonError } from '../core/errors.ts'
import { failureReason, unreadable } from './files/file-error.ts'
import { baseName, isNamed } from './files/processes/process-names.ts'
import type { ProcessTable, RunningProcess } from './files/processes/process-table.ts'
import { lookAtProcesses } from './files/processes/processes.ts'
import { remoteKind } from './files/remote-kind.ts'
import type { Owner, Program, System } from './system.ts'

/**
 * Whether a live program uses a store.
 * - `used`: by this process. `isLocked` if writing would certainly do harm, so that even `--force` does not.
 * - `unknown`: it cannot be told, and why.
 */
export type Use =
  | { readonly kind: 'free' }
  | {
      readonly kind: 'used'
      readonly pid?: number
      readonly program?: string
      readonly why: string
      readonly isLocked: boolean
    }
  | { readonly kind: 'unknown'; readonly why: string }

/** What is asked about: a conversation at a place, the files that would change, and whether others may have them open. */
export interface Asked {
  readonly system: System
  readonly place: string
  readonly files: readonly string[]
  readonly isShared: boolean
  readonly now: number
  /** A repair would answer calls that have no result. */
  readonly hasOpenCalls?: boolean
}

/** Finds out whether a live program uses a store, by its open files, by its own records and by its processes. */
export function findUse(asked: Asked, table: () => ProcessTable = () => lookAtProcesses()): Use {
  const { files, place, system, isShared } = asked
  if (files.length === 0) return { kind: 'free' }
  let shown: ProcessTable
  try {
    shown = table()
  } catch (error) {
    return { kind: 'unknown', why: `the running processes cannot be seen: ${failureReason(error)}` }
  }
  const { program } = system
  const opener = (kept: readonly string[]): RunningProcess | 'unnamed' | undefined => {
    const [writer] = isShared && !shown.tellsHandles ? [] : shown.writersOf(kept)
    return writer === undefined ? undefined : (shown.processes.find(({ pid }) => pid === writer) ?? 'unnamed')
  }
  const holder = opener(files)
  if (holder) return usedBy(holder, 'has it open for writing', !isShared)
  const neighbour = opener(program?.keepsOpen?.(place) ?? [])
  if (neighbour) return usedBy(neighbour, 'has files open that belong to it')
  return (program && marked(program, asked, shown)) ?? unseen(asked, shown)
}

const usedBy = (one: RunningProcess | 'unnamed', what: string, isLocked = false): Use & { kind: 'used' } =>
  one === 'unnamed'
    ? { kind: 'used', why: `another process ${what}`, isLocked }
    : { kind: 'used', pid: one.pid, program: nameOf(one), why: `process ${one.pid} (${nameOf(one)}) ${what}`, isLocked }

/** What the program's own records and its processes tell. */
function marked(
  program: Program,
  { place, now, hasOpenCalls = false }: Asked,
  { processes }: ProcessTable,
): Use | undefined {
  const owners = program.owners?.(place, now) ?? []
  const ours = ancestors(processes)
  for (const owner of owners) {
    if (!owner.isThis) continue
    if (owner.pid === undefined)
      return { kind: 'used', why: owner.why ?? 'another machine has it open', isLocked: false }
    const one = processes.find(
      process =>
        isOwner(process, owner) &&
        (owner.isCurrent || program.marks.some(({ names }) => isNamed(process.names, names))),
    )
    if (one) return usedBy(one, 'says that it has it open')
  }
  const elsewhere = owners.filter(({ isThis }) => !isThis)
  const owner = statSync(place, { throwIfNoEntry: false })?.uid
  for (const { names, isRuntime = false, isOfOpenCalls = false, holds, worksIn } of program.marks) {
    if (isOfOpenCalls && !hasOpenCalls) continue
    const isThere = worksIn?.(place)
    const isHeld = holds?.(place) === true
    const mayUse = (one: RunningProcess): boolean =>
      isNamed(one.names, names) &&
      mayWrite(one, owner) &&
      !elsewhere.some(other => isOwner(one, other)) &&
      !(isHeld && one.isReadable) &&
      (!isRuntime || (one.folder !== undefined && !ours.has(one.pid))) &&
      (!isThere || one.folder === undefined || isThere(one.folder))
    const one = processes.find(mayUse)
    if (!one) continue
    const where = one.folder === undefined || !isThere ? 'runs' : `works in ${one.folder}`
    return usedBy(one, `${where} and may have it open`)
  }
  return hasOpenCalls ? hidden(program, owner, ours, processes) : undefined
}

/** A runtime of the same user that does not show where it works: it may be running the tool of an open call. */
function hidden(
  { marks }: Program,
  owner: number | undefined,
  ours: ReadonlySet<number>,
  processes: readonly RunningProcess[],
): Use | undefined {
  const names = marks.flatMap(mark => (mark.isRuntime && mark.worksIn ? mark.names : []))
  const one = processes.find(
    ({ pid, folder, user, names: own }) =>
      folder === undefined &&
      !ours.has(pid) &&
      (user === undefined || owner === undefined || user === owner) &&
      isNamed(own, names),
  )
  return (
    one && {
      kind: 'unknown',
      why: `a call in it has no result, and where process ${one.pid} (${nameOf(one)}) works cannot be seen`,
    }
  )
}

/** Whether a process belongs to the owner of a file, or to one who may write to every file. */
const mayWrite = ({ user }: RunningProcess, owner: number | undefined): boolean =>
  user === undefined || owner === undefined || user === 0 || user === owner

/** A number is given again to another process, which started at another time. */
const isOwner = ({ pid, start }: RunningProcess, owner: Owner): boolean =>
  pid === owner.pid && (start === undefined || owner.start === undefined || start === owner.start)

/** The processes that started this one: a shell, or npx. */
function ancestors(processes: readonly RunningProcess[]): Set<number> {
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]))
  const found = new Set<number>()
  for (let pid: number | undefined = process.ppid; pid !== undefined && !found.has(pid); pid = parents.get(pid))
    found.add(pid)
  return found
}

/** Why it cannot be told that nobody uses the files, though nothing was seen. */
function unseen({ files, isShared }: Asked, { processes, tellsHandles }: ProcessTable): Use {
  if (isShared && !tellsHandles)
    return { kind: 'unknown', why: 'this operating system does not show which programs have a database open' }
  const stats = files.flatMap(file => statSync(file, { throwIfNoEntry: false }) ?? [])
  const kind = [...new Set(files.map(file => dirname(file)))].map(remoteKind).find(found => found !== undefined)
  if (kind !== undefined)
    return {
      kind: 'unknown',
      why: `it is on a network file system (${kind}), and programs on other machines cannot be seen`,
    }
  const us = process.getuid?.()
  const stranger = processes.find(
    ({ isReadable, user }) => !isReadable && user !== undefined && user !== us && stats.some(({ uid }) => uid === user),
  )
  if (stranger)
    return {
      kind: 'unknown',
      why: `it belongs to another user, and what process ${stranger.pid} of that user has open cannot be seen`,
    }
  return { kind: 'free' }
}

/** What people know a process by. Some runtimes name their first thread, and a process is shown by that. */
const nameOf = ({ names }: RunningProcess): string =>
  names.map(baseName).find(name => name !== '' && !/MainThread/.test(name)) ?? 'unknown'

/** Throws unless nobody uses a store. `force` overrides what is only likely, or not known. */
export function mustBeFree(asked: Asked, place: string, force: boolean, outcome: string): void {
  const error = objection(findUse(asked), place, force, outcome)
  if (error) throw error
}

export function objection(use: Use, place: string, force: boolean, outcome: string): AntiphonError | undefined {
  if (use.kind === 'free' || (force && !(use.kind === 'used' && use.isLocked))) return undefined
  if (use.kind === 'used') return unreadable(place, `${use.why}, so ${outcome}`, adviceFor(use))
  return unreadable(place, `whether a program uses it cannot be told, so ${outcome}: ${use.why}`, forceHint)
}

/** What to do about a program that uses a conversation. */
export const adviceFor = ({ isLocked }: { readonly isLocked: boolean }): string =>
  isLocked ? 'close it and try again' : 'close it and try again, or use --force if it does not use this conversation'

const forceHint = 'close every program that uses it and try again with --force'

/** Looks at the processes no more often than is of use where many conversations are only looked at. */
export function recentProcesses(): () => ProcessTable {
  let seen: { readonly table: ProcessTable; readonly at: number } | undefined
  return () => {
    if (!seen || performance.now() - seen.at > recentMs) seen = { table: lookAtProcesses(), at: performance.now() }
    return seen.table
  }
}

const recentMs = 500
