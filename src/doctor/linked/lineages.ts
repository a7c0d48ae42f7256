import { valueAt } from '../../core/invariant.ts'

/**
 * Which records of a file lead to the same record through their parents. Two disjoint-set forests (union-find) keep this linear: in
 * `#lines` records whose links meet are in one set, in `#runs` neighbours in the file that are in one set point to the first of them. Sets only
 * ever grow: a link may be replaced, if the new one leads out of the set.
 */
export class Lineages {
  readonly #lines: number[]
  readonly #runs: number[]

  /** A parent is the index of a record; a negative one is none. */
  constructor(parents: readonly number[]) {
    this.#lines = [...parents.keys()]
    this.#runs = [...parents.keys()]
    for (const [node, parent] of parents.entries()) this.link(node, parent)
  }

  link(node: number, parent: number): void {
    if (parent >= 0) this.#lines[first(this.#lines, node)] = first(this.#lines, parent)
  }

  /** The last record before a node in the file whose links do not lead to it; -1 if there is none. */
  previous(node: number): number {
    const line = first(this.#lines, node)
    let run = first(this.#runs, node)
    let other = run - 1
    while (other >= 0 && first(this.#lines, other) === line) {
      this.#runs[run] = other
      run = first(this.#runs, other)
      other = run - 1
    }
    return other
  }
}

/** The first member of a set. Halves the way for the next time. */
function first(sets: number[], member: number): number {
  let at = member
  for (let next = valueAt(sets, at); next !== at; next = valueAt(sets, at)) {
    const after = valueAt(sets, next)
    sets[at] = after
    at = after
  }
  return at
}

/** Finds the nearest ancestor that is not removed. What was found once is not searched again. */
export function keptAncestors(parents: readonly number[], gone: ReadonlySet<number>): (node: number) => number {
  const known = new Map<number, number>()
  return node => {
    const passed: number[] = []
    let parent = valueAt(parents, node)
    while (gone.has(parent) && !known.has(parent)) {
      passed.push(parent)
      // A cycle ends here.
      known.set(parent, -1)
      parent = valueAt(parents, parent)
    }
    const kept = known.get(parent) ?? parent
    for (const one of passed) known.set(one, kept)
    return kept
  }
}
