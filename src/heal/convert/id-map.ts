import { acceptsId, type IdForm, mintId } from '../../core/ids.ts'

/** The form of ids in the target format. */
export interface IdRequirements {
  readonly form: IdForm
  /** An id that is used again in a later turn must be replaced. */
  readonly isUnique: boolean
  /** Calls may have no id. */
  readonly idless: boolean
}

/**
 * Maps ids between two formats, in both directions. `#origins` is the map of the caller: every made-up id with the id
 * it replaces, or an empty string if there was none. So an id that comes back is recognised, and one that is converted
 * again gets the same id as before: `#given` has the accepted made-up ids by origin, in order.
 */
export class IdMap {
  readonly #origins: Map<string, string>
  readonly #given = new Map<string, string[]>()
  readonly #requirements: IdRequirements
  readonly #known: () => Iterable<string>
  #taken: Set<string> | undefined
  readonly #uses = new Map<string, number>()

  /** `known` returns the ids that a made-up id must not equal; called only if an id is made up. */
  constructor(origins: Map<string, string>, known: () => Iterable<string>, requirements: IdRequirements) {
    this.#origins = origins
    this.#known = known
    this.#requirements = requirements
    for (const [id, origin] of origins) if (acceptsId(requirements.form, id)) this.#add(origin, id)
  }

  /** The id for the next call that has this id. Each call asks once, in order. */
  next(id: string): string {
    const { form, idless, isUnique } = this.#requirements
    const origin = this.#origins.get(id) ?? id
    if (origin === '' && idless) return ''
    const turn = isUnique || origin === '' ? this.#countOf(origin) : 0
    const fits = origin !== '' && acceptsId(form, origin)
    if (fits && turn === 0) return origin
    return this.#given.get(origin)?.[fits ? turn - 1 : turn] ?? this.#make(origin, turn)
  }

  /** The number of earlier calls with this id. */
  #countOf(origin: string): number {
    const use = this.#uses.get(origin) ?? 0
    this.#uses.set(origin, use + 1)
    return use
  }

  #make(origin: string, turn: number): string {
    this.#taken ??= new Set([...this.#known(), ...this.#origins.keys()])
    const id = mintId(turn === 0 && origin !== '' ? origin : `${origin} ${turn}`, this.#requirements.form, this.#taken)
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
