import { existsSync } from 'node:fs'
import { AntiphonError } from '../../../core/errors.ts'
import { addressWithoutPassword } from '../../../doctor/address.ts'
import { hashFile, readBackup } from '../../../doctor/backup/backup.ts'
import { fixCommand, undoCommand } from '../../../doctor/backup/commands.ts'
import { restore } from '../../../doctor/backup/restore.ts'
import { examineStores } from '../../../doctor/doctor.ts'
import { fileError } from '../../../doctor/files/file-error.ts'
import { leftToProgram } from '../../../doctor/files/program-places.ts'
import { isUrl } from '../../../doctor/peek.ts'
import type { Examination, StoredConversation, System } from '../../../doctor/system.ts'
import type { ActionResult, StoreAction, StoredDocument } from '../protocol.ts'

/** A conversation in a store. */
export interface StoredPlace {
  readonly path: string
  readonly system: System
  readonly id: string
}

/** Repairs conversations in their stores as `antiphon doctor --fix` does, and remembers the backups, so that a repair can be undone. */
export class StoreRepairs {
  readonly #systems: readonly System[]
  readonly #backups = new Map<string, Made>()
  /** One repair at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(systems: readonly System[]) {
    this.#systems = systems
  }

  /** What would be repaired. */
  async examine(conversation: StoredConversation, { path, system }: StoredPlace): Promise<Examination> {
    return leftToProgram(await conversation.examine(), { address: path, system, systems: this.#systems })
  }

  act(item: string, place: StoredPlace, action: StoreAction): Promise<ActionResult> {
    const done = this.#last.then(() => (action.do === 'fix' ? this.#fix(item, place) : this.#undo(item, place)))
    this.#last = done.catch(() => {})
    return done
  }

  /** The commands that do the same. */
  commands(item: string, { path, id }: StoredPlace, canFix: boolean): Pick<StoredDocument, 'fix' | 'undo'> {
    const shown = shownPath(path)
    const backup = this.#backups.get(item)?.backup
    return {
      ...(canFix && { fix: { command: fixCommand(shown, id) } }),
      ...(backup !== undefined && { undo: { backup, command: undoCommand(backup, shown) } }),
    }
  }

  async #fix(item: string, { path, system, id }: StoredPlace): Promise<ActionResult> {
    // Naming one of no program would count as `--system`.
    const systems = system.isOfNoProgram ? this.#systems : [system]
    for await (const found of examineStores([path], { systems, fix: true, session: id })) {
      if (found.kind === 'unreadable') throw found.error
      if (found.kind !== 'conversation' || found.id !== id) continue
      if (found.failure) throw found.failure
      if (found.backup === undefined) continue
      this.#backups.set(item, { backup: found.backup, content: contentOf(found.backup) })
      return { message: `Healed. The previous content is kept in ${found.backup}.` }
    }
    throw new AntiphonError('unreadable', 'there is nothing to repair any more', {
      hint: 'open the conversation again',
    })
  }

  async #undo(item: string, { path, system }: StoredPlace): Promise<ActionResult> {
    const made = this.#backups.get(item)
    if (made === undefined)
      throw new AntiphonError('invalid-action', 'this page has made no repair that could be undone')
    const { backup, content } = made
    // A backup is of whole files, and a database has other conversations too.
    if (contentOf(backup) !== content)
      throw fileError(
        shownPath(path),
        'it was continued after its repair, so nothing was undone',
        `${undoCommand(backup, shownPath(path))} puts it back as it was, without what was written since`,
      )
    const { kept } = await restore(backup, [system], isUrl(path) ? path : undefined)
    this.#backups.delete(item)
    const rest = kept === undefined ? '' : ` The repaired version is kept in ${kept}.`
    return { message: `Undone: everything is as it was before the repair.${rest}` }
  }
}

/** A repair that was made: its backup, and what the files of the store contained after it. */
interface Made {
  readonly backup: string
  readonly content: string
}

const contentOf = (backup: string): string =>
  readBackup(backup)
    .files.map(({ path }) => (existsSync(path) ? hashFile(path) : 'none'))
    .join(' ')

/** A path for people: a URL without its password. */
export const shownPath = (path: string): string => (isUrl(path) ? addressWithoutPassword(path) : path)
