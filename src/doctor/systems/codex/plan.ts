import type { Item } from './item.ts'
import type { TextEdit } from './item-text.ts'
import { editHistory, editPayload, type ListEdit } from './item-text.ts'

/** A record that comes to stand somewhere: a new one, or one that stood elsewhere. */
export type Source = { readonly text: string } | { readonly piece: number }

/** What becomes of the pieces of a rollout. Those that are not named stay as they are. */
export class Plan {
  readonly drops = new Set<number>()
  /** Pieces that spaces are written over. */
  readonly blanks = new Set<number>()
  readonly after = new Map<number, Source[]>()
  /** Records behind the last. They are numbered when they are written. */
  readonly tail: string[] = []
  readonly #edits = new Map<number, TextEdit[]>()
  readonly #lists = new Map<number, ListEdit>()
  /** From this piece on, records are numbered anew. */
  renumber: { readonly piece: number; readonly ordinal: number } | undefined

  edit({ piece, inner }: Item, edit: TextEdit): void {
    if (inner < 0) append(this.#edits, piece, editPayload(edit))
    else append(this.list(piece).edits, inner, edit)
  }

  insert(piece: number, source: Source): void {
    append(this.after, piece, source)
  }

  list(piece: number): ListEdit {
    const known = this.#lists.get(piece) ?? { edits: new Map(), drops: new Set(), after: new Map() }
    this.#lists.set(piece, known)
    return known
  }

  /** A record as it is to be. */
  textOf(piece: number, text: string): string {
    let now = text
    for (const edit of this.#edits.get(piece) ?? []) now = edit(now)
    const list = this.#lists.get(piece)
    return list ? editHistory(list)(now) : now
  }

  isChanged(piece: number): boolean {
    return this.#edits.has(piece) || this.#lists.has(piece)
  }

  /** Pieces that are written elsewhere than they stood. */
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
