import { AntiphonError } from '../../../core/errors.ts'
import { addressWithoutPassword } from '../../../doctor/address.ts'
import { fixCommand, undoCommand } from '../../../doctor/backup/commands.ts'
import { restore } from '../../../doctor/backup/restore.ts'
import { examineStores } from '../../../doctor/doctor.ts'
import { isUrl } from '../../../doctor/peek.ts'
import type { System } from '../../../doctor/system.ts'
import type { ActionResult, StoreAction, StoredDocument } from '../protocol.ts'

/** A conversation in a store. */
export interface StoredPlace {
  readonly path: string
  readonly system: System
  readonly id: string
}

/** Repairs conversations in their stores as `antiphon doctor --fix` does, and remembers the backups, so that a repair can be undone. */
export class StoreRepairs {
  readonly #backups = new Map<string, string>()
  /** One repair at a time. */
  #last: Promise<unknown> = Promise.resolve()

  act(item: string, place: StoredPlace, action: StoreAction): Promise<ActionResult> {
    const done = this.#last.then(() => (action.do === 'fix' ? this.#fix(item, place) : this.#undo(item, place)))
    this.#last = done.catch(() => {})
    return done
  }

  /** The commands that do the same. */
  commands(item: string, { path, id }: StoredPlace, canFix: boolean): Pick<StoredDocument, 'fix' | 'undo'> {
    const shown = shownPath(path)
    const backup = this.#backups.get(item)
    return {
      ...(canFix && { fix: { command: fixCommand(shown, id) } }),
      ...(backup !== undefined && { undo: { backup, command: undoCommand(backup, shown) } }),
    }
  }

  async #fix(item: string, { path, system, id }: StoredPlace): Promise<ActionResult> {
    for await (const found of examineStores([path], { systems: [system], fix: true, session: id })) {
      if (found.kind === 'unreadable') throw found.error
      if (found.kind !== 'conversation' || found.id !== id) continue
      if (found.failure) throw found.failure
      if (found.backup === undefined) continue
      this.#backups.set(item, found.backup)
      return { message: `Healed. The previous content is kept in ${found.backup}.` }
    }
    throw new AntiphonError('unreadable', 'there is nothing to repair any more', {
      hint: 'open the conversation again',
    })
  }

  async #undo(item: string, { path, system }: StoredPlace): Promise<ActionResult> {
    const backup = this.#backups.get(item)
    if (backup === undefined) throw new AntiphonError('invalid-action', 'no repair of this page can be undone')
    const { kept } = await restore(backup, [system], isUrl(path) ? path : undefined)
    this.#backups.delete(item)
    const rest = kept === undefined ? '' : ` The repaired version is kept in ${kept}.`
    return { message: `Undone: everything is as it was before the repair.${rest}` }
  }
}

/** A path for people: a URL without its password. */
export const shownPath = (path: string): string => (isUrl(path) ? addressWithoutPassword(path) : path)
