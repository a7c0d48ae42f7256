import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { AntiphonError } from '../core/errors.ts'
import { failureReason, fileError } from './files/file-error.ts'
import { isNamed, programName } from './files/processes/process-names.ts'
import type { ProcessTable, RunningProcess } from './files/processes/process-table.ts'
import { lookAtProcesses } from './files/processes/processes.ts'
import { remoteKind } from './files/remote-kind.ts'
import type { Program, RecordedOwner, System } from './system.ts'

/**
 * Whether a running program uses a store.
 * - `used`: by this process. `isLocked` if writing would certainly do harm: then even `--force` does not write.
 * - `unknown`: this cannot be determined, with the reason.
 */
export type StoreUse =
  | { readonly kind: 'free' }
  | {
      readonly kind: 'used'
      readonly pid?: number
      readonly program?: string
      readonly why: string
      readonly isLocked: boolean
      /** What to do about it, if that is not to close the program. */
      readonly advice?: string
    }
  | { readonly kind: 'unknown'; readonly why: string }

/**
 * A question whether a conversation is in use: its place, the files that would change, and whether others may have them
 * open.
 */
export interface UseQuery {
  readonly system: System
  readonly place: string
  readonly files: readonly string[]
  /** Old versions of files that were just replaced: a program that has only a new version open may go on. */
  readonly replaced?: readonly string[]
  readonly isShared: boolean
  readonly now: number
  /** The repair would answer calls that have no result. */
  readonly hasOpenCalls?: boolean
}

/** Finds out whether a running program uses a store, from its open files, its own records and its processes. */
export function findUse(asked: UseQuery, table: () => ProcessTable = () => lookAtProcesses()): StoreUse {
  const { files, replaced = [], place, system, isShared } = asked
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
  const holder = opener(replaced.length > 0 && shown.tellsVersions ? replaced : [...files, ...replaced])
  if (holder) return usedBy(holder, 'has it open for writing', !isShared)
  const neighbour = opener(program?.keepsOpen?.(place) ?? [])
  if (neighbour) return { ...usedBy(neighbour, 'has files open that belong to it'), ...adviceOf(program) }
  return (program && programUse(program, asked, shown)) ?? unknownUse(asked, shown)
}

const usedBy = (one: RunningProcess | 'unnamed', what: string, isLocked = false): StoreUse & { kind: 'used' } =>
  one === 'unnamed'
    ? { kind: 'used', why: `another process ${what}`, isLocked }
    : { kind: 'used', pid: one.pid, program: nameOf(one), why: `process ${one.pid} (${nameOf(one)}) ${what}`, isLocked }

/** What the program's own records and its processes show. */
function programUse(
  program: Program,
  { place, now, hasOpenCalls = false }: UseQuery,
  { processes }: ProcessTable,
): StoreUse | undefined {
  const owners = program.owners?.(place, now) ?? []
  const ours = ancestors(processes)
  for (const owner of owners) {
    if (!owner.isThis) continue
    if (owner.pid === undefined)
      return { kind: 'used', why: 'another machine has it open', isLocked: false, ...reasonOf(owner) }
    const one = processes.find(
      process =>
        isOwner(process, owner) &&
        (owner.isCurrent || program.processes.some(({ names }) => isNamed(process.names, names))),
    )
    if (one) return usedBy(one, 'is recorded as using it')
  }
  const elsewhere = owners.filter(({ isThis }) => !isThis)
  const owner = statSync(place, { throwIfNoEntry: false })?.uid
  for (const { names, isRuntime = false, isOfOpenCalls = false, holds, worksIn } of program.processes) {
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
    return { ...usedBy(one, `${where} and may have it open`), ...adviceOf(program) }
  }
  return hasOpenCalls ? hiddenRuntimeUse(program, owner, ours, processes) : undefined
}

const reasonOf = ({ why, ...owner }: RecordedOwner): { why?: string; advice?: string } => ({
  ...(why !== undefined && { why }),
  ...adviceOf(owner),
})

const adviceOf = ({ advice }: { readonly advice?: string } = {}): { advice?: string } =>
  advice === undefined ? {} : { advice }

/** A runtime of the same user with an unknown working directory: it may be running the tool of an open call. */
function hiddenRuntimeUse(
  { processes: patterns }: Program,
  owner: number | undefined,
  ours: ReadonlySet<number>,
  processes: readonly RunningProcess[],
): StoreUse | undefined {
  const names = patterns.flatMap(one => (one.isRuntime && one.worksIn ? one.names : []))
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
      why: `a call in it has no result, and the working directory of process ${one.pid} (${nameOf(one)}) cannot be read`,
    }
  )
}

/** Whether a process belongs to the owner of a file, or to a superuser. */
const mayWrite = ({ user }: RunningProcess, owner: number | undefined): boolean =>
  user === undefined || owner === undefined || user === 0 || user === owner

/** Process ids are reused; the start time tells the processes apart. */
const isOwner = ({ pid, start }: RunningProcess, owner: RecordedOwner): boolean =>
  pid === owner.pid && (start === undefined || owner.start === undefined || start === owner.start)

/** The processes that started this one: a shell, or npx. */
function ancestors(processes: readonly RunningProcess[]): Set<number> {
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]))
  const found = new Set<number>()
  for (let pid: number | undefined = process.ppid; pid !== undefined && !found.has(pid); pid = parents.get(pid))
    found.add(pid)
  return found
}

/** Why it is unknown whether the files are in use, although no user was seen. */
function unknownUse({ files, isShared }: UseQuery, { processes, tellsHandles }: ProcessTable): StoreUse {
  if (isShared && !tellsHandles)
    return { kind: 'unknown', why: 'this operating system does not show which programs have a database open' }
  const stats = files.flatMap(file => statSync(file, { throwIfNoEntry: false }) ?? [])
  const kind = [...new Set(files.map(file => dirname(file)))].map(remoteKind).find(found => found !== undefined)
  if (kind !== undefined)
    return {
      kind: 'unknown',
      why: `it is shared with another machine (${kind}), and programs there cannot be seen`,
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

/** The name under which users know a process. Some runtimes name their first thread, and a process is shown by that. */
const nameOf = ({ names }: RunningProcess): string =>
  names.map(programName).find(name => name !== '' && !/MainThread/.test(name)) ?? 'unknown'

/** Throws if a store is in use. `force` overrides what is only likely, or unknown. */
export function mustBeFree(asked: UseQuery, place: string, force: boolean, outcome: string): void {
  const error = inUseError(findUse(asked), place, force, outcome)
  if (error) throw error
}

export function inUseError(use: StoreUse, place: string, force: boolean, outcome: string): AntiphonError | undefined {
  if (use.kind === 'free' || (force && !(use.kind === 'used' && use.isLocked))) return undefined
  if (use.kind === 'used') return fileError(place, `${use.why}, so ${outcome}`, adviceFor(use))
  return fileError(place, `it is unknown whether a program uses it, so ${outcome}: ${use.why}`, forceHint)
}

/** What to do about a program that uses a conversation. */
export const adviceFor = ({ isLocked, advice }: { readonly isLocked: boolean; readonly advice?: string }): string =>
  advice ??
  (isLocked ? 'close it and try again' : 'close it and try again, or use --force if it does not use this session')

const forceHint = 'close every program that uses it and try again with --force'

/** Reads the process list only as often as is useful when many conversations are examined. */
export function recentProcesses(): () => ProcessTable {
  let seen: { readonly table: ProcessTable; readonly at: number } | undefined
  return () => {
    if (!seen || performance.now() - seen.at > recentMs) seen = { table: lookAtProcesses(), at: performance.now() }
    return seen.table
  }
}

const recentMs = 500
