import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { AntiphonError } from '../core/errors.ts'
import type { Repair } from '../core/rules/repair.ts'
import type { Rejection } from '../heal/rejections/rejection.ts'
import { addressWithoutPassword } from './address.ts'
import { type Backup, openBackup } from './backup/backup.ts'
import { clearUpBelow, clearUpIn, clearUpNextTo } from './backup/clear-up.ts'
import { undo } from './backup/restore.ts'
import { draftFor } from './files/drafts.ts'
import { failureReason, fileError } from './files/file-error.ts'
import { type Fingerprints, fingerprint, fingerprints } from './files/fingerprint.ts'
import { hardLinkNotes, mustHaveNoLinks, realPlace } from './files/no-links.ts'
import type { ProcessTable } from './files/processes/process-table.ts'
import { leftToProgram } from './files/program-places.ts'
import type { AssertUnused } from './files/swap-file.ts'
import { finishSwaps } from './files/swap-folder.ts'
import { findStores } from './find-stores.ts'
import { adviceFor, findUse, inUseError, mustBeFree, recentProcesses, type StoreUse, type UseQuery } from './in-use.ts'
import { removeAbandonedCopies } from './look-copy.ts'
import { isUrl } from './peek.ts'
import { mayBeCommitted } from './postgres/connection.ts'
import { systemsAt } from './postgres/systems-at.ts'
import { examineRejected } from './rejected/examine-rejected.ts'
import type { ConversationStore, Examination, StoredConversation, StoreRepair, System } from './system.ts'
import { titled } from './titles/stored-title.ts'

export interface DoctorOptions {
  readonly systems: readonly System[]
  /** Repairs what is broken; otherwise nothing is changed. */
  readonly fix?: boolean
  /** Repairs even if a program may be using the store, or if that cannot be determined. */
  readonly force?: boolean
  /** The folder for backups. */
  readonly backups?: string
  /** The current time in milliseconds. */
  readonly now?: number
  /** Repairs what a provider rejected, rather than what the rules find. */
  readonly rejection?: Rejection
  /** Only the conversation with this id. */
  readonly session?: string
}

/** A conversation that was examined, and repaired if requested; or a path that could not be read, or was not recognised. */
export type DoctorResult = ConversationResult | UnreadableResult | UnrecognisedResult

export interface ConversationResult {
  readonly kind: 'conversation'
  readonly path: string
  readonly system: System
  readonly id: string
  readonly title?: string
  readonly examination: Examination
  /** Its program is running and uses it, so it was left alone. */
  readonly use?: StoreUse & { readonly kind: 'used' }
  /** The folder of the backup; present if it was repaired. */
  readonly backup?: string
  /** It is broken and was not repaired, although that was requested. */
  readonly failure?: Error
}

export interface UnreadableResult {
  readonly kind: 'unreadable'
  readonly path: string
  readonly error: Error
}

/** A path in a searched folder that is not a store of a known system. */
export interface UnrecognisedResult {
  readonly kind: 'unrecognised'
  readonly path: string
}

/**
 * Examines all stores at the paths, one conversation at a time. Problems that it finds are results, never exceptions.
 */
export async function* examineStores(paths: Iterable<string>, options: DoctorOptions): AsyncGenerator<DoctorResult> {
  removeAbandonedCopies()
  const named = [...paths]
  const scope: Scope = { named, begun: new Set(), depth: 0, processes: recentProcesses() }
  for (const path of named) yield* visitPath(path, options, scope)
}

async function* visitPath(path: string, options: DoctorOptions, scope: Scope): AsyncGenerator<DoctorResult> {
  if (options.fix) clearUpNextTo(path)
  const systems = await systemsAt(path, options.systems).catch(error => asFileError(shown(path), error))
  if (systems instanceof Error) {
    yield { kind: 'unreadable', path: shown(path), error: systems }
    return
  }
  for (const found of findStores(path, systems)) {
    if (found.kind === 'store') {
      if (!scope.begun.has(resolve(found.path))) yield* visitStore(found.path, found.system, options, scope)
    } else if (found.kind === 'unfinished') yield* finish(found.path, options)
    else if (found.kind !== 'drafts') yield found
    else if (options.fix) clearUpIn(found.path)
  }
}

interface Scope {
  /** The paths that the user named: nothing else is repaired. */
  readonly named: readonly string[]
  /** Stores that were visited, of systems whose sessions can continue one another: a parent is repaired once, however many sessions continue it. */
  readonly begun: Set<string>
  /** How many stores are waiting for the one that they continue. */
  depth: number
  /** The running processes. All stores share the list, because most have only one conversation. */
  readonly processes: () => ProcessTable
}

/**
 * A session may continue one in another store (its parent), and then its history includes records of the parent. So with `fix` the
 * parent is visited first, if it is at or below a path that the user named: its repair may repair this store as well.
 */
async function* visitParent(
  store: ConversationStore,
  path: string,
  options: DoctorOptions,
  scope: Scope,
): AsyncGenerator<DoctorResult> {
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

/** A path as it is shown: an address has no password. */
const shown = (path: string): string => (isUrl(path) ? addressWithoutPassword(path) : path)

const isWithin = (folder: string, path: string): boolean => `${path}${sep}`.startsWith(`${folder}${sep}`)

async function* finish(folder: string, options: DoctorOptions): AsyncGenerator<DoctorResult> {
  if (!options.fix) {
    const error = fileError(folder, 'a repair was interrupted here', 'antiphon doctor --fix finishes it')
    yield { kind: 'unreadable', path: folder, error }
    return
  }
  try {
    const { paths, atWork, errors } = finishSwaps(folder)
    for (const error of errors) yield { kind: 'unreadable', path: folder, error }
    for (const pid of atWork) {
      const error = fileError(folder, `process ${pid} is repairing something here`, 'try again when it is done')
      yield { kind: 'unreadable', path: folder, error }
    }
    yield* examineStores(paths, options)
  } catch (error) {
    yield { kind: 'unreadable', path: folder, error: asFileError(folder, error) }
  }
}

async function* visitStore(
  address: string,
  system: System,
  options: DoctorOptions,
  scope: Scope,
): AsyncGenerator<DoctorResult> {
  const now = options.now ?? Date.now()
  const path = shown(address)
  let store: ConversationStore
  if (options.fix) clearUpBelow(address)
  try {
    store = await system.open(address, { now })
  } catch (error) {
    yield { kind: 'unreadable', path, error: asFileError(path, error) }
    return
  }
  const context: StoreContext = {
    address,
    path,
    system,
    systems: options.systems,
    now,
    root: options.backups ?? backupFolder(),
    fix: options.fix === true,
    force: options.force === true,
    processes: scope.processes,
    rejection: options.rejection,
  }
  let reported: unknown
  try {
    yield* visitParent(store, address, options, scope)
    for await (const conversation of store.conversations()) {
      if (options.session !== undefined && conversation.id !== options.session) continue
      try {
        yield await visitConversation(conversation, context)
      } catch (error) {
        // An error that ends the reading of a store is thrown for each of its conversations, and reported once.
        if (error !== reported) yield { kind: 'unreadable', path, error: asFileError(path, error) }
        reported = error
      }
    }
  } catch (error) {
    yield { kind: 'unreadable', path, error: asFileError(path, error) }
  } finally {
    await store.close()
  }
}

/**
 * A store that is being examined, and repaired with `fix`. Files that all its conversations share are backed up once, when
 * the first of them needs it.
 */
interface StoreContext {
  readonly address: string
  /** The address without its password. */
  readonly path: string
  readonly system: System
  readonly systems: readonly System[]
  readonly now: number
  readonly root: string
  readonly fix: boolean
  readonly force: boolean
  readonly processes: () => ProcessTable
  readonly rejection: Rejection | undefined
  shared?: Backup
}

async function visitConversation(conversation: StoredConversation, context: StoreContext): Promise<ConversationResult> {
  const { id } = conversation
  const { path, system, force, rejection } = context
  const examined = rejection ? await examineRejected(conversation, rejection) : await conversation.examine()
  const { title: read, ...found } = examined
  const title = conversation.title ?? read
  const examination = leftToProgram(withHardLinkNotes(found), context)
  const about = { kind: 'conversation' as const, path, system, id, ...titled(title), examination }
  const { storeRepair } = examination
  if (!storeRepair) return about
  const query = queryFor(storeRepair, examination, context)
  const use = await firstLook(query, storeRepair, context)
  const useError = inUseError(use, path, force, leftUnchanged)
  const failure = useError && context.fix ? { failure: useError } : {}
  if (useError && use.kind === 'used') return { ...about, examination: busy(examination, use), use, ...failure }
  return useError || !context.fix
    ? { ...about, ...failure }
    : applyRepair(about, storeRepair, query, context, conversation)
}

async function applyRepair(
  about: ConversationResult,
  storeRepair: StoreRepair,
  query: UseQuery,
  context: StoreContext,
  conversation: StoredConversation,
): Promise<ConversationResult> {
  const { path, system, force } = context
  let backup: Backup | undefined
  let more: readonly Repair[] = []
  let drafts: Fingerprints = new Map()
  const assertUnused: AssertUnused = (...replaced) => {
    mustBeReal(storeRepair, context)
    mustBeFree({ ...query, replaced }, path, force, leftUnchanged)
    drafts = new Map([...drafts, ...draftsOf(storeRepair)])
  }
  try {
    backup = context.shared ?? (await backUp(storeRepair, context))
    await storeRepair.apply(assertUnused)
    if (context.rejection) more = await repairAfterRemoval(conversation, storeRepair, assertUnused, context)
    if (storeRepair.isShared && !storeRepair.keep) context.shared = backup
    const written = new Map([...fingerprints(storeRepair.files), ...drafts])
    if (!storeRepair.isShared && !(await isRepaired(about.id, context).catch(() => false))) {
      await undo(backup.folder, [system], written)
      throw fileError(path, 'it was still broken after its repair, so it was restored')
    }
    const { examination } = about
    const repairs = [...examination.repairs, ...more]
    return { ...about, examination: { ...examination, repairs }, backup: backup.folder }
  } catch (error) {
    const failure = asFileError(path, error)
    const isChanged =
      backup !== undefined && backup !== context.shared && !backup.discard({ mayBeCommitted: mayBeCommitted(error) })
    return {
      ...about,
      failure: isChanged ? fileError(failure.message, `its former content is in ${backup?.folder}`) : failure,
    }
  }
}

/** Fingerprints of the new content of a repair's files: each is complete in a draft, which gets the name of its file next. */
function draftsOf({ files }: StoreRepair): Fingerprints {
  const drafts = files.map(file => [file, draftFor(realPlace(file))] as const)
  return new Map(drafts.flatMap(([file, draft]) => (existsSync(draft) ? [[file, fingerprint(draft)]] : [])))
}

/** Nothing is changed, copied or removed through a link inside the store, even if its system asks for it. */
function mustBeReal({ files }: StoreRepair, { address }: StoreContext): void {
  for (const file of files) mustHaveNoLinks(address, file)
}

/**
 * Adds a note for each file with several hard links: only the link that was found gets the new content. A database is written in place, which all its links see.
 */
function withHardLinkNotes(found: Examination): Examination {
  const { storeRepair, notes } = found
  if (!storeRepair || storeRepair.isShared) return found
  return { ...found, notes: [...notes, ...hardLinkNotes(storeRepair.files)] }
}

const leftUnchanged = 'it was left as it is'

const otherFolder = 'name another folder with --backup'

const queryFor = (
  { files, place, isShared }: StoreRepair,
  { repairs }: Examination,
  { system, address, now }: StoreContext,
): UseQuery => ({
  system,
  place: place ?? address,
  files,
  isShared: isShared === true,
  now,
  hasOpenCalls: repairs.some(({ rule }) => rule === 'unanswered-call'),
})

/** Whether a program uses a conversation. The processes are checked again before it is written to. */
async function firstLook(query: UseQuery, { users }: StoreRepair, { processes }: StoreContext): Promise<StoreUse> {
  const why = await users?.()
  return why === undefined ? findUse(query, processes) : { kind: 'used', why, isLocked: false }
}

/** A conversation whose program is working on it: what looks broken may be unfinished. */
function busy({ storeRepair: _, ...found }: Examination, use: StoreUse & { kind: 'used' }): Examination {
  return { ...found, state: 'busy', notes: [...found.notes, `${use.why}, so it is left alone: ${adviceFor(use)}`] }
}

async function backUp(storeRepair: StoreRepair, context: StoreContext): Promise<Backup> {
  const { root, system, address, path, now } = context
  mustBeReal(storeRepair, context)
  if (isWithin(resolve(address), resolve(root)))
    throw fileError(root, 'a backup cannot be inside the store that it backs up', otherFolder)
  let backup: Backup | undefined
  try {
    backup = openBackup(root, system.id, isUrl(address) ? path : resolve(path), now)
    for (const file of storeRepair.files) backup.addFile(file)
    await storeRepair.keep?.(backup)
    backup.close()
    return backup
  } catch (error) {
    backup?.discard()
    if (AntiphonError.is(error)) throw error
    throw fileError(root, `no backup can be made there: ${failureReason(error)}`, otherFolder)
  }
}

/**
 * A removal after a rejection, such as of a turn, may leave a call without its result: that is repaired too, with the
 * same backup. Returns these repairs.
 */
async function repairAfterRemoval(
  conversation: StoredConversation,
  { isShared }: StoreRepair,
  assertUnused: AssertUnused,
  context: StoreContext,
): Promise<readonly Repair[]> {
  const finish = async ({ repairs, storeRepair }: Examination): Promise<readonly Repair[]> => {
    if (!storeRepair) return []
    await storeRepair.apply(assertUnused)
    return repairs
  }
  // A database connection sees its changes; a file has to be opened again.
  if (isShared) return finish(await conversation.examine())
  const { address, system, now } = context
  const store = await system.open(address, { now })
  try {
    for await (const one of store.conversations()) if (one.id === conversation.id) return finish(await one.examine())
    return []
  } finally {
    await store.close()
  }
}

/** Whether a conversation can be read after its repair and has no defect. Only the next request shows whether the provider accepts it. */
async function isRepaired(id: string, { address, system, now }: StoreContext): Promise<boolean> {
  const store = await system.open(address, { now })
  try {
    for await (const conversation of store.conversations())
      if (conversation.id === id) return (await conversation.examine()).storeRepair === undefined
    return false
  } finally {
    await store.close()
  }
}

const asFileError = (path: string, error: unknown): Error =>
  AntiphonError.is(error) ? error : fileError(path, failureReason(error))

/** The default folder for backups. It is not next to any store, so that no program lists the backups as sessions. */
export const backupFolder = (): string =>
  join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'antiphon', 'backups')
