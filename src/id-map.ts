import { acceptsId, type IdForm, mintId } from './core/ids.ts'

/** What ids must look like where they are going. */
export interface IdDemands {
  readonly form: IdForm
  /** An id that is used again, in a later turn, must get another one. */
  readonly isUnique: boolean
  /** Calls can go without an id. */
  readonly idless: boolean
}

/**
 * Ids on their way from one wire to another and back. `#origins` is the caller's own map: every id that was made up, with
 * the one it stands for, which is empty if there was none. So an id that comes back is known, and one that goes again gets
 * the same as before: `#given` has those that fit by origin, in order.
 */
export class IdMap {
  readonly #origins: Map<string, string>
  readonly #given = new Map<string, string[]>()
  readonly #demands: IdDemands
  readonly #taken: Set<string>
  readonly #uses = new Map<string, number>()

  /** `taken` has the ids that no made-up one may have. */
  constructor(origins: Map<string, string>, taken: Iterable<string>, demands: IdDemands) {
    this.#origins = origins
    this.#taken = new Set([...taken, ...origins.keys()])
    this.#demands = demands
    for (const [id, origin] of origins) if (acceptsId(demands.form, id)) this.#add(origin, id)
  }

  /** The id that the next call gets which has this one: each call asks once, in order. */
  next(id: string): string {
    const { form, idless, isUnique } = this.#demands
    const origin = this.#origins.get(id) ?? id
    if (origin === '' && idless) return ''
    const use = this.#uses.get(origin) ?? 0
    this.#uses.set(origin, use + 1)
    const fits = origin !== '' && acceptsId(form, origin)
    const turn = isUnique || origin === '' ? use : 0
    if (fits && turn === 0) return origin
    return this.#given.get(origin)?.[fits ? turn - 1 : turn] ?? this.#make(origin, turn)
  }

  #make(origin: string, turn: number): string {
    const id = mintId(turn === 0 && origin !== '' ? origin : `${origin} ${turn}`, this.#demands.form, this.#taken)
    this.#origins.set(id, origin)
    this.#add(origin, id)
    return id
  }

  #add(origin: string, id: string): void {
    const known = this.#given.get(origin)
    if (known) known.push(id)
    else this.#given.set(origin, [id])
  }
}
