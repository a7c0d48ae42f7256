import type { CallFamily, RolloutItem } from './item.ts'

/**
 * A list of items that costs a few bytes for each. Ids are stored once: `#names` numbers them. An item becomes an
 * object again only where needed, and then always the same one.
 */
export class RolloutItems {
  length = 0
  readonly #names = new Map<string, number>()
  readonly #ids: string[] = []
  /** How many items have each id. */
  readonly #uses: number[] = []
  /** Where the items are that begin a turn. */
  readonly #boundaries: number[] = []
  /** So many items at the beginning are known to be boundaries. */
  #settled = 0
  readonly #itemIds = new Map<number, string>()
  readonly #made = new Map<number, RolloutItem>()
  #pieces = new Int32Array(64)
  #inners = new Int32Array(64)
  #hashes = new Int32Array(64)
  #calls = new Int32Array(64)
  #marks = new Uint16Array(64)

  static from(items: Iterable<RolloutItem>): RolloutItems {
    const list = new RolloutItems()
    for (const item of items) list.push(item)
    return list
  }

  push(item: RolloutItem): void {
    const { piece, inner, family = 'function', callId, itemHash, itemId } = item
    const at = this.length++
    if (at === this.#pieces.length) this.#grow()
    this.#pieces[at] = piece
    this.#inners[at] = inner
    this.#hashes[at] = itemHash
    this.#calls[at] = callId === undefined ? -1 : this.#nameOf(callId) * families.length + families.indexOf(family)
    this.#marks[at] = marksOf(item)
    if (this.isBoundary(at)) this.#boundaries.push(at)
    if (itemId !== undefined) this.#itemIds.set(at, itemId)
  }

  isCall = (at: number): boolean => (this.#marksAt(at) & kindBits) === callKind
  isResult = (at: number): boolean => (this.#marksAt(at) & kindBits) === resultKind
  isBoundary = (at: number): boolean => (this.#marksAt(at) & boundary) !== 0
  isContext = (at: number): boolean => (this.#marksAt(at) & context) !== 0
  isOfModel = (at: number): boolean => (this.#marksAt(at) & ofModel) !== 0
  isWarning = (at: number): boolean => (this.#marksAt(at) & warning) !== 0
  isExtra = (at: number): boolean => (this.#marksAt(at) & extra) !== 0
  isPlaceholder = (at: number): boolean => (this.#marksAt(at) & placeholder) !== 0
  piece = (at: number): number => this.#pieces[at] ?? -1
  inner = (at: number): number => this.#inners[at] ?? -1
  hash = (at: number): number => this.#hashes[at] ?? 0

  /** A number for the kind and id of a call, the same for its results. -1 if it is neither. */
  key = (at: number): number => this.#calls[at] ?? -1

  callId = (at: number): string => this.#ids[Math.floor(this.key(at) / families.length)] ?? ''

  itemId = (at: number): string | undefined => this.#itemIds.get(at)

  item(at: number): RolloutItem {
    const item = this.look(at)
    this.#made.set(at, item)
    return item
  }

  /** An item that is not kept: for a look at each of many. */
  look(at: number): RolloutItem {
    const known = this.#made.get(at)
    if (known) return known
    const kind = kinds[this.#marksAt(at) & kindBits] ?? 'other'
    const itemId = this.itemId(at)
    const family = families[this.key(at) % families.length]
    return {
      piece: this.piece(at),
      inner: this.inner(at),
      kind,
      itemHash: this.hash(at),
      ...(family ? { family, callId: this.callId(at) } : {}),
      ...(itemId === undefined ? {} : { itemId }),
      ...(this.isBoundary(at) ? { isBoundary: true } : {}),
      ...(this.isContext(at) ? { isContext: true } : {}),
      ...(this.isOfModel(at) ? { isOfModel: true } : {}),
      ...(this.isPlaceholder(at) ? { isPlaceholder: true } : {}),
      ...(this.isWarning(at) ? { isWarning: true } : {}),
      ...(this.isExtra(at) ? { isExtra: true } : {}),
      ...((this.#marksAt(at) & shell) !== 0 ? { isShell: true } : {}),
    }
  }

  /** Whether a call or a result has this id. */
  hasId(id: string): boolean {
    return (this.#uses[this.#names.get(id) ?? -1] ?? 0) > 0
  }

  get boundaries(): readonly number[] {
    return this.#boundaries
  }

  /** Removes the last items. */
  truncate(length: number): void {
    while (this.length > length) {
      const at = --this.length
      const name = Math.floor(this.key(at) / families.length)
      if (name >= 0) this.#uses[name] = (this.#uses[name] ?? 0) - 1
      this.#itemIds.delete(at)
      this.#made.delete(at)
    }
    while ((this.#boundaries.at(-1) ?? -1) >= length) this.#boundaries.pop()
    this.#settled = Math.min(this.#settled, length)
  }

  /** Removes all items that are not boundaries. Those at the beginning that stayed the last time are not looked at again. */
  keepBoundaries(): void {
    const kept = this.#boundaries.slice(this.#settled).map(at => this.look(at))
    this.truncate(this.#settled)
    for (const item of kept) this.push(item)
    this.#settled = this.length
  }

  counts(): { readonly calls: number; readonly results: number } {
    let [calls, results] = [0, 0]
    for (let at = 0; at < this.length; at++) {
      if (this.isCall(at)) calls++
      else if (this.isResult(at)) results++
    }
    return { calls, results }
  }

  idsOfCalls(): Set<string> {
    const ids = new Set<string>()
    for (let at = 0; at < this.length; at++) if (this.isCall(at)) ids.add(this.callId(at))
    return ids
  }

  /** The hashes of item ids that several items of this rollout have. Sorting makes them cheap to find. */
  hashesSeenTwice(): Set<number> {
    const hashes = this.#hashes.slice(0, this.length).map((hash, at) => (this.piece(at) < 0 ? 0 : hash))
    const again = new Set<number>()
    let before = 0
    for (const hash of hashes.sort()) {
      if (hash !== 0 && hash === before) again.add(hash)
      before = hash
    }
    return again
  }

  #marksAt(at: number): number {
    return this.#marks[at] ?? 0
  }

  #nameOf(id: string): number {
    const known = this.#names.get(id)
    const name = known ?? this.#ids.push(id) - 1
    this.#names.set(id, name)
    this.#uses[name] = (this.#uses[name] ?? 0) + 1
    return name
  }

  #grow(): void {
    const wider = (list: Int32Array): Int32Array<ArrayBuffer> => {
      const wide = new Int32Array(list.length * 2)
      wide.set(list)
      return wide
    }
    this.#pieces = wider(this.#pieces)
    this.#inners = wider(this.#inners)
    this.#hashes = wider(this.#hashes)
    this.#calls = wider(this.#calls)
    const marks = new Uint16Array(this.#marks.length * 2)
    marks.set(this.#marks)
    this.#marks = marks
  }
}

const families: readonly CallFamily[] = ['function', 'custom', 'search']
const kinds: readonly RolloutItem['kind'][] = ['call', 'result', 'reasoning', 'words', 'other']
const [callKind, resultKind] = [0, 1]
const [kindBits, boundary, context, ofModel, placeholder, shell, warning, extra] = [7, 8, 16, 32, 64, 128, 256, 512]

const marksOf = (item: RolloutItem): number =>
  kinds.indexOf(item.kind) |
  (item.isBoundary ? boundary : 0) |
  (item.isContext ? context : 0) |
  (item.isOfModel ? ofModel : 0) |
  (item.isPlaceholder ? placeholder : 0) |
  (item.isShell ? shell : 0) |
  (item.isWarning ? warning : 0) |
  (item.isExtra ? extra : 0)
