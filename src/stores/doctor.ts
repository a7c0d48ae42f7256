import { homedir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { AntiphonError } from '../errors.ts'
import { finishSwaps } from '../files/swap-folder.ts'
import { writersOf } from '../files/writers-of.ts'
import { reasonOf, unreadable } from '../unreadable.ts'
import { placeOf } from './address.ts'
import { type Backup, openBackup } from './backup.ts'
import { clearUpBelow, clearUpBeside, clearUpIn } from './clear-up.ts'
import { findStores } from './find-stores.ts'
import { clearLooks } from './look-copy.ts'
import { isUrl } from './peek.ts'
import { undo } from './restore.ts'
import type { Examination, Store, StoredConversation, System, Treatment } from './system.ts'

export interface DoctorOptions {
  readonly systems: readonly System[]
  /** Heals what is broken; otherwise nothing is changed. */
  readonly fix?: boolean
  /** The folder for backups. */
  readonly backups?: string
  /** The time now, in milliseconds. */
  readonly now?: number
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
  for (const path of paths) {
    if (options.fix) clearUpBeside(path)
    for (const found of findStores(path, options.systems)) {
      if (found.kind === 'store') yield* visitStore(found.path, found.system, options)
      else if (found.kind === 'unfinished') yield* finish(found.path, options)
      else if (found.kind !== 'drafts') yield found
      else if (options.fix) clearUpIn(found.path)
    }
  }
}

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

async function* visitStore(address: string, system: System, options: DoctorOptions): AsyncGenerator<Visit> {
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
  const ward: Ward = { address, path, system, now, root: options.backups ?? backupFolder() }
  try {
    for await (const conversation of store.conversations()) {
      try {
        yield await visitConversation(conversation, ward, options.fix === true)
      } catch (error) {
        yield { kind: 'trouble', path, error: complain(path, error) }
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
  shared?: Backup
}

async function visitConversation(
  conversation: StoredConversation,
  ward: Ward,
  fix: boolean,
): Promise<ConversationVisit> {
  const { id, title } = conversation
  const { path, system } = ward
  const examination = await conversation.examine()
  const about = {
    kind: 'conversation' as const,
    path,
    system,
    id,
    ...(title === undefined ? {} : { title }),
    examination,
  }
  if (!fix || !examination.treatment) return about
  const { treatment } = examination
  let backup: Backup | undefined
  try {
    if (!treatment.isShared) mustBeAlone(treatment.files, path)
    backup = ward.shared ?? (await backUp(treatment, ward))
    await treatment.apply()
    if (treatment.isShared && !treatment.keep) ward.shared = backup
    if (!treatment.isShared && !(await holds(id, ward).catch(() => false))) {
      await undo(backup.folder, [system])
      throw unreadable(path, 'it was still broken when it was healed, so it was put back as it was')
    }
    return { ...about, backup: backup.folder }
  } catch (error) {
    const failure = complain(path, error)
    const isChanged = backup !== undefined && backup !== ward.shared && !backup.discard()
    return {
      ...about,
      failure: isChanged ? unreadable(failure.message, `what was there is in ${backup?.folder}`) : failure,
    }
  }
}

async function backUp(treatment: Treatment, { root, system, address, path, now }: Ward): Promise<Backup> {
  if (`${resolve(root)}${sep}`.startsWith(`${resolve(address)}${sep}`))
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
    throw unreadable(root, `no backup can be made there: ${reasonOf(error)}`, '--backup names another folder')
  }
}

/** Whether a conversation can be read and is sound, now that it was healed. */
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

function mustBeAlone(files: readonly string[], path: string): void {
  const [writer] = writersOf(files)
  if (writer !== undefined)
    throw unreadable(
      path,
      `process ${writer} has it open for writing, so it was left as it is`,
      'close it and try again',
    )
}

const complain = (path: string, error: unknown): Error =>
  AntiphonError.is(error) ? error : unreadable(path, reasonOf(error))

/** Where backups are kept unless the caller says otherwise: beside no store, so that no program stumbles over them. */
export const backupFolder = (): string =>
  join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'antiphon', 'backups')
