import { homedir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { AntiphonError } from '../core/errors.ts'
import type { Repair } from '../core/rules/repair.ts'
import type { Rejection } from '../heal/rejections/rejection.ts'
import { placeOf } from './address.ts'
import { type Backup, openBackup } from './backup/backup.ts'
import { clearUpBelow, clearUpBeside, clearUpIn } from './backup/clear-up.ts'
import { undo } from './backup/restore.ts'
import { failureReason, unreadable } from './files/file-error.ts'
import { mustHaveNoLinks, partingsOf } from './files/no-links.ts'
import type { ProcessTable } from './files/processes/process-table.ts'
import type { LastLook } from './files/swap-file.ts'
import { finishSwaps } from './files/swap-folder.ts'
import { findStores } from './find-stores.ts'
import { type Asked, adviceFor, findUse, mustBeFree, objection, recentProcesses, type Use } from './in-use.ts'
import { clearLooks } from './look-copy.ts'
import { isUrl } from './peek.ts'
import { examineRejected } from './rejected/examine-rejected.ts'
import type { Examination, Store, StoredConversation, System, Treatment } from './system.ts'

export interface DoctorOptions {
  readonly systems: readonly System[]
  /** Heals what is broken; otherwise nothing is changed. */
  readonly fix?: boolean
  /** Heals also where a program may be using the store, or where that cannot be told. */
  readonly force?: boolean
  /** The folder for backups. */
  readonly backups?: string
  /** The time now, in milliseconds. */
  readonly now?: number
  /** Repairs what a provider rejected, rather than what is wrong by itself. */
  readonly rejection?: Rejection
  /** Only the conversation with this id. */
  readonly session?: string
}

/** One conversation that was examined, and healed if that was asked for. Or a path that could not be read. */
export type Visit = ConversationVisit | TroubleVisit | PassedVisit

export interface ConversationVisit {
  readonly kind: 'conversation'
  readonly path: string
  readonly system: System
  readonly id: string
  readonly title?: string
  readonly examination: Examination
  /** Its program is running and uses it, so it was left alone. */
  readonly use?: Use & { readonly kind: 'used' }
  /** It was healed: where the backup is. */
  readonly backup?: string
  /** It is broken and was not healed, though that was asked for. */
  readonly failure?: Error
}

export interface TroubleVisit {
  readonly kind: 'trouble'
  readonly path: string
  readonly error: Error
}

/** Something in a folder that no system knows. */
export interface PassedVisit {
  readonly kind: 'stranger'
  readonly path: string
}

/** Goes through all stores at the paths, one conversation at a time. It never throws for what it finds there. */
export async function* visit(paths: Iterable<string>, options: DoctorOptions): AsyncGenerator<Visit> {
  clearLooks()
  const named = [...paths]
  const scope: Scope = { named, begun: new Set(), depth: 0 }
  for (const path of named) {
    if (options.fix) clearUpBeside(path)
    for (const found of findStores(path, options.systems)) {
      if (found.kind === 'store') {
        if (!scope.begun.has(resolve(found.path))) yield* visitStore(found.path, found.system, options, scope)
      } else if (found.kind === 'unfinished') yield* finish(found.path, options)
      else if (found.kind !== 'drafts') yield found
      else if (options.fix) clearUpIn(found.path)
    }
  }
}

interface Scope {
  /** The paths that were named: nothing else is healed. */
  readonly named: readonly string[]
  /** Stores that continue others, and those others: each is healed once. */
  readonly begun: Set<string>
  /** How many stores wait for the one that they continue. */
  depth: number
}

/**
 * Heals the store that this one continues, if it is part of what was named. What is written there may show here, so this
 * one is examined afterwards, and one healing is enough for both.
 */
async function* visitParent(store: Store, path: string, options: DoctorOptions, scope: Scope): AsyncGenerator<Visit> {
  if (!options.fix || !store.parent) return
  scope.begun.add(resolve(path))
  const parent = store.parent()
  if (parent === undefined || scope.depth === depthMax || scope.begun.has(resolve(parent))) return
  if (!scope.named.some(named => !isUrl(named) && isWithin(resolve(named), resolve(parent)))) return
  scope.depth++
  for (const found of findStores(parent, options.systems))
    if (found.kind === 'store') yield* visitStore(found.path, found.system, options, scope)
  scope.depth--
}

const depthMax = 64

const isWithin = (folder: string, path: string): boolean => `${path}${sep}`.startsWith(`${folder}${sep}`)

async function* finish(folder: string, options: DoctorOptions): AsyncGenerator<Visit> {
  if (!options.fix) {
    const error = unreadable(folder, 'a healing was cut off here', 'antiphon doctor --fix finishes it')
    yield { kind: 'trouble', path: folder, error }
    return
  }
  try {
    const { paths, atWork } = finishSwaps(folder)
    for (const pid of atWork) {
      const error = unreadable(folder, `process ${pid} is healing something here`, 'try again when it is done')
      yield { kind: 'trouble', path: folder, error }
    }
    yield* visit(paths, options)
  } catch (error) {
    yield { kind: 'trouble', path: folder, error: complain(folder, error) }
  }
}

async function* visitStore(
  address: string,
  system: System,
  options: DoctorOptions,
  scope: Scope,
): AsyncGenerator<Visit> {
  const now = options.now ?? Date.now()
  const path = isUrl(address) ? placeOf(address) : address
  let store: Store
  if (options.fix) clearUpBelow(address)
  try {
    store = await system.open(address, { now })
  } catch (error) {
    yield { kind: 'trouble', path, error: complain(path, error) }
    return
  }
  const ward: Ward = {
    address,
    path,
    system,
    now,
    root: options.backups ?? backupFolder(),
    fix: options.fix === true,
    force: options.force === true,
    processes: recentProcesses(),
    rejection: options.rejection,
  }
  let said: unknown
  try {
    yield* visitParent(store, address, options, scope)
    for await (const conversation of store.conversations()) {
      if (options.session !== undefined && conversation.id !== options.session) continue
      try {
        yield await visitConversation(conversation, ward)
      } catch (error) {
        // What ends the reading of a store is thrown for each of its conversations, and told once.
        if (error !== said) yield { kind: 'trouble', path, error: complain(path, error) }
        said = error
      }
    }
  } catch (error) {
    yield { kind: 'trouble', path, error: complain(path, error) }
  } finally {
    await store.close()
  }
}

/** Where a store is healed. What all its conversations share is backed up once, when the first of them needs it. */
interface Ward {
  readonly address: string
  /** The address as people may read it. */
  readonly path: string
  readonly system: System
  readonly now: number
  readonly root: string
  readonly fix: boolean
  readonly force: boolean
  readonly processes: () => ProcessTable
  readonly rejection: Rejection | undefined
  shared?: Backup
}

async function visitConversation(conversation: StoredConversation, ward: Ward): Promise<ConversationVisit> {
  const { id, title } = conversation
  const { path, system, force } = ward
  const { rejection } = ward
  const examined = rejection ? await examineRejected(conversation, rejection) : await conversation.examine()
  const examination = withPartings(examined)
  const about = {
    kind: 'conversation' as const,
    path,
    system,
    id,
    ...(title === undefined ? {} : { title }),
    examination,
  }
  const { treatment } = examination
  if (!treatment) return about
  const asked = askedOf(treatment, examination, ward)
  const use = await firstLook(asked, treatment, ward)
  const objects = objection(use, path, force, left)
  const failure = objects && ward.fix ? { failure: objects } : {}
  if (objects && use.kind === 'used') return { ...about, examination: busy(examination, use), use, ...failure }
  return objects || !ward.fix ? { ...about, ...failure } : heal(about, treatment, asked, ward, conversation)
}

async function heal(
  about: ConversationVisit,
  treatment: Treatment,
  asked: Asked,
  ward: Ward,
  conversation: StoredConversation,
): Promise<ConversationVisit> {
  const { path, system, force } = ward
  let backup: Backup | undefined
  let more: readonly Repair[] = []
  const last: LastLook = (...files) => {
    mustBeReal(treatment, ward)
    mustBeFree({ ...asked, files: [...asked.files, ...files] }, path, force, left)
  }
  try {
    backup = ward.shared ?? (await backUp(treatment, ward))
    await treatment.apply(last)
    if (ward.rejection) more = await settle(conversation, treatment, last, ward)
    if (treatment.isShared && !treatment.keep) ward.shared = backup
    if (!treatment.isShared && !(await holds(about.id, ward).catch(() => false))) {
      await undo(backup.folder, [system])
      throw unreadable(path, 'it was still broken when it was healed, so it was put back as it was')
    }
    const { examination } = about
    const repairs = [...examination.repairs, ...more]
    return { ...about, examination: { ...examination, repairs }, backup: backup.folder }
  } catch (error) {
    const failure = complain(path, error)
    const isChanged = backup !== undefined && backup !== ward.shared && !backup.discard()
    return {
      ...about,
      failure: isChanged ? unreadable(failure.message, `what was there is in ${backup?.folder}`) : failure,
    }
  }
}

/** Nothing is changed, kept or removed through a link inside the store, whatever its system says. */
function mustBeReal({ files }: Treatment, { address }: Ward): void {
  for (const file of files) mustHaveNoLinks(address, file)
}

/** Says of files with several names that they are replaced under one of them. A database is written in place. */
function withPartings(found: Examination): Examination {
  const { treatment, notes } = found
  if (!treatment || treatment.isShared) return found
  return { ...found, notes: [...notes, ...partingsOf(treatment.files)] }
}

const left = 'it was left as it is'

const askedOf = (
  { files, place, isShared }: Treatment,
  { repairs }: Examination,
  { system, address, now }: Ward,
): Asked => ({
  system,
  place: place ?? address,
  files,
  isShared: isShared === true,
  now,
  hasOpenCalls: repairs.some(({ rule }) => rule === 'unanswered-call'),
})

/** Whether a program uses a conversation. Before it is written to, the processes are looked at again. */
async function firstLook(asked: Asked, { users }: Treatment, { processes }: Ward): Promise<Use> {
  const why = await users?.()
  return why === undefined ? findUse(asked, processes) : { kind: 'used', why, isLocked: false }
}

/** A conversation that its program is at work on: what looks broken may be half done. */
function busy({ treatment: _, ...found }: Examination, use: Use & { kind: 'used' }): Examination {
  return { ...found, state: 'busy', notes: [...found.notes, `${use.why}, so it is left alone: ${adviceFor(use)}`] }
}

async function backUp(treatment: Treatment, ward: Ward): Promise<Backup> {
  const { root, system, address, path, now } = ward
  mustBeReal(treatment, ward)
  if (isWithin(resolve(address), resolve(root)))
    throw unreadable(root, 'a backup cannot be kept in the store that it is of', '--backup names another folder')
  let backup: Backup | undefined
  try {
    backup = openBackup(root, system.id, isUrl(address) ? path : resolve(path), now)
    for (const file of treatment.files) backup.addFile(file)
    await treatment.keep?.(backup)
    backup.close()
    return backup
  } catch (error) {
    backup?.discard()
    if (AntiphonError.is(error)) throw error
    throw unreadable(root, `no backup can be made there: ${failureReason(error)}`, '--backup names another folder')
  }
}

/**
 * What was removed after a rejection, such as a turn, may have left a call without its result: that is repaired too. The backup is the
 * same. Returns what was repaired.
 */
async function settle(
  conversation: StoredConversation,
  { isShared }: Treatment,
  last: LastLook,
  ward: Ward,
): Promise<readonly Repair[]> {
  const finish = async ({ repairs, treatment }: Examination): Promise<readonly Repair[]> => {
    if (!treatment) return []
    await treatment.apply(last)
    return repairs
  }
  // A database is looked at again after each change; a file is opened again.
  if (isShared) return finish(await conversation.examine())
  const { address, system, now } = ward
  const store = await system.open(address, { now })
  try {
    for await (const one of store.conversations()) if (one.id === conversation.id) return finish(await one.examine())
    return []
  } finally {
    await store.close()
  }
}

/** Whether a conversation can be read and is sound, now that it was healed. After a rejection, only the next request tells the rest. */
async function holds(id: string, { address, system, now }: Ward): Promise<boolean> {
  const store = await system.open(address, { now })
  try {
    for await (const conversation of store.conversations())
      if (conversation.id === id) return (await conversation.examine()).treatment === undefined
    return false
  } finally {
    await store.close()
  }
}

const complain = (path: string, error: unknown): Error =>
  AntiphonError.is(error) ? error : unreadable(path, failureReason(error))

/** Where backups are kept unless the caller says otherwise: beside no store, so that no program stumbles over them. */
export const backupFolder = (): string =>
  join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'antiphon', 'backups')
