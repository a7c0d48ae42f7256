import type { RolloutItem } from './item.ts'
import type { TextEdit } from './item-text.ts'
import { editHistory, editPayload, type ListEdit } from './item-text.ts'

/** The origin of a record at a new place: new text, or a record from elsewhere. */
export type RolloutRecordSource = { readonly text: string } | { readonly piece: number }

/** The changes of the pieces of a rollout (`RolloutPiece`), by their indexes. Those that are not listed stay as they are. */
export class RolloutPlan {
  readonly drops = new Set<number>()
  /** Pieces that are overwritten with spaces. */
  readonly blanks = new Set<number>()
  readonly after = new Map<number, RolloutRecordSource[]>()
  /** Records after the last one. They are numbered when they are written. */
  readonly tail: string[] = []
  readonly #edits = new Map<number, TextEdit[]>()
  readonly #lists = new Map<number, ListEdit>()
  /** From this piece on, records are renumbered. */
  renumber: { readonly piece: number; readonly ordinal: number } | undefined

  edit({ piece, inner }: RolloutItem, edit: TextEdit): void {
    if (inner < 0) append(this.#edits, piece, editPayload(edit))
    else append(this.list(piece).edits, inner, edit)
  }

  insert(piece: number, source: RolloutRecordSource): void {
    append(this.after, piece, source)
  }

  list(piece: number): ListEdit {
    const known = this.#lists.get(piece) ?? { edits: new Map(), drops: new Set(), after: new Map() }
    this.#lists.set(piece, known)
    return known
  }

  /** The new text of a record. */
  textOf(piece: number, text: string): string {
    let now = text
    for (const edit of this.#edits.get(piece) ?? []) now = edit(now)
    const list = this.#lists.get(piece)
    return list ? editHistory(list)(now) : now
  }

  isChanged(piece: number): boolean {
    return this.#edits.has(piece) || this.#lists.has(piece)
  }

  /** Pieces that are written at another place. */
  get moved(): Set<number> {
    return new Set([...this.after.values()].flat().flatMap(source => ('piece' in source ? [source.piece] : [])))
  }

  get isEmpty(): boolean {
    const named = [this.drops, this.blanks, this.after, this.#edits, this.#lists].some(({ size }) => size > 0)
    return !named && this.tail.length === 0 && this.renumber === undefined
  }
}

/** Adds to the list under a key. */
export function append<Value>(lists: Map<number, Value[]>, key: number, value: Value): void {
  const known = lists.get(key)
  if (known) known.push(value)
  else lists.set(key, [value])
}
