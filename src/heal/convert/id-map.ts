import { acceptsId, type IdForm, mintId } from '../../core/ids.ts'

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
  readonly #known: () => Iterable<string>
  #taken: Set<string> | undefined
  readonly #uses = new Map<string, number>()

  /** `known` gives the ids that no made-up one may have, if one has to be made up. */
  constructor(origins: Map<string, string>, known: () => Iterable<string>, demands: IdDemands) {
    this.#origins = origins
    this.#known = known
    this.#demands = demands
    for (const [id, origin] of origins) if (acceptsId(demands.form, id)) this.#add(origin, id)
  }

  /** The id that the next call gets which has this one: each call asks once, in order. */
  next(id: string): string {
    const { form, idless, isUnique } = this.#demands
    const origin = this.#origins.get(id) ?? id
    if (origin === '' && idless) return ''
    const turn = isUnique || origin === '' ? this.#countOf(origin) : 0
    const fits = origin !== '' && acceptsId(form, origin)
    if (fits && turn === 0) return origin
    return this.#given.get(origin)?.[fits ? turn - 1 : turn] ?? this.#make(origin, turn)
  }

  /** How many calls before had it. */
  #countOf(origin: string): number {
    const use = this.#uses.get(origin) ?? 0
    this.#uses.set(origin, use + 1)
    return use
  }

  #make(origin: string, turn: number): string {
    this.#taken ??= new Set([...this.#known(), ...this.#origins.keys()])
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
