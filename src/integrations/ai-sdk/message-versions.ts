import type { Branch, BranchTree } from '../../journal/branches/branch-tree.ts'
import type { SubmittedInput, ThreadItem } from '../../journal/branches/thread-item.ts'

/** Versions of one message: each is on another branch. */
export interface MessageVersions {
  /** The id of the message on the branch that was asked for. */
  readonly id: string
  /** A branch for each version, the oldest version first. */
  readonly branches: readonly number[]
  /** The index of the version on the branch that was asked for. */
  readonly index: number
}

/** What the inputs of a chat are shown as. */
export interface ShownInputs {
  idOf(input: number): string
  answerIdOf(admitted: number): string
  /** The input was repeated because its turn failed. */
  isRepeated(input: number): boolean
  waitingOn(branch: Branch): readonly SubmittedInput[]
}

/** A message after those before it. Branches that begin with the same messages share these. */
interface Version {
  readonly id: string
  readonly isAnswer: boolean
  readonly before: Version | undefined
  readonly after: Map<string, Version>
  /** The last branch that shows it; none if all replaced it by another attempt. */
  shownOn: Branch | undefined
}

/** The messages of all branches as a tree. Each branch adds only what is its own, so that a chat is read in linear time. */
export class VersionTree {
  readonly #inputs: ShownInputs
  /** The message with which a branch ends. */
  readonly #ends = new Map<Branch, Version>()

  constructor({ branches, target }: BranchTree, inputs: ShownInputs) {
    this.#inputs = inputs
    const root = versionAfter(undefined, '', false)
    const all = [root]
    /** The messages after which the own items of a branch follow, by their number. */
    const places = new Map<Branch, Version[]>()
    for (const branch of branches) {
      const { parent, base, items } = branch
      const own = [(parent && places.get(parent)?.[base - parent.base]) ?? root]
      for (const item of items) own.push(this.#add(item, own.at(-1) ?? root, all))
      places.set(branch, own)
      const end = inputs.waitingOn(branch).reduce((last, { seq }) => this.#addInput(seq, last, all), own.at(-1) ?? root)
      this.#ends.set(branch, end)
      end.shownOn = branch
    }
    const current = this.#ends.get(target)
    if (current) current.shownOn = target
    for (const { before, shownOn } of all.toReversed())
      if (before && shownOn) before.shownOn = lastOf(before.shownOn, shownOn, target)
  }

  /** The messages of a branch that have other versions. */
  of(branch: Branch): MessageVersions[] {
    const path: Version[] = []
    for (let at = this.#ends.get(branch); at?.before; at = at.before) path.push(at)
    return path.toReversed().flatMap(version => {
      const versions = [...(version.before?.after.values() ?? [])].filter(({ shownOn }) => shownOn)
      const branches = versions.map(one => (one === version ? branch : (one.shownOn ?? branch)).branch)
      return versions.length > 1 ? [{ id: version.id, branches, index: versions.indexOf(version) }] : []
    })
  }

  #add(item: ThreadItem, last: Version, all: Version[]): Version {
    if (item.kind !== 'input') return last
    const lastInput = item.inputs.reduce((before, { seq }) => this.#addInput(seq, before, all), last)
    return next(lastInput, `answer ${item.seq}`, this.#inputs.answerIdOf(item.seq), true, all)
  }

  /** Of a repeated attempt only the last one is shown. */
  #addInput(input: number, last: Version, all: Version[]): Version {
    if (!this.#inputs.isRepeated(input)) return next(last, `input ${input}`, this.#inputs.idOf(input), false, all)
    return last.isAnswer && last.before ? last.before : last
  }
}

function next(before: Version, name: string, id: string, isAnswer: boolean, all: Version[]): Version {
  const known = before.after.get(name)
  if (known) return known
  const version = versionAfter(before, id, isAnswer)
  before.after.set(name, version)
  all.push(version)
  return version
}

const versionAfter = (before: Version | undefined, id: string, isAnswer: boolean): Version => ({
  ...{ id, isAnswer, before, after: new Map(), shownOn: undefined },
})

/** The current branch counts as the last one. */
function lastOf(one: Branch | undefined, other: Branch, current: Branch): Branch {
  if (!one || other === current) return other
  return one === current || one.branch > other.branch ? one : other
}
