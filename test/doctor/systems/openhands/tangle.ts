import { fileOf, taken } from './log.ts'
import type { Event, Files } from './view.ts'

/**
 * A conversation that is being corrupted. Events are moved, lost and added as a program with the defect would do it:
 * links and the head follow, unless they are what is corrupted.
 */
export class Tangle {
  base: string
  /** By number; a number that is lost has no event. */
  events: (string | undefined)[]
  readonly others: Map<string, Uint8Array>
  readonly isTree: boolean

  constructor(files: Files) {
    const { base, events, others } = taken(files)
    this.base = base
    this.events = events
    this.others = others
    this.isTree = base.includes('"leaf_event_id"')
  }

  files(): Map<string, Uint8Array> {
    const files = new Map<string, Uint8Array>([['base_state.json', Buffer.from(this.base)]])
    for (const [place, event] of this.events.entries())
      if (event !== undefined) files.set(fileOf(place, event), Buffer.from(event))
    for (const [path, bytes] of this.others) files.set(path, bytes)
    return files
  }

  at(place: number): Event {
    return JSON.parse(this.events[place] as string) as Event
  }

  /** The numbers of the events on the branch, root first; up to the first link that is lost. */
  branch(): number[] {
    const place = new Map<unknown, number>()
    for (const [index, event] of this.events.entries()) if (event !== undefined) place.set(this.at(index).id, index)
    const head = this.isTree ? place.get(this.head()) : this.events.findLastIndex(event => event !== undefined)
    const path: number[] = []
    for (let next = head; next !== undefined && next >= 0 && !path.includes(next); ) {
      path.unshift(next)
      const { parent_id: parent } = this.at(next)
      next = parent === undefined ? this.#before(next) : place.get(parent)
    }
    return path
  }

  head(): string {
    return (JSON.parse(this.base) as { leaf_event_id: string }).leaf_event_id
  }

  setHead(id: string): void {
    this.base = this.base.replace(/"leaf_event_id":"[^"]*"/, `"leaf_event_id":"${id}"`)
  }

  setStatus(status: string): void {
    this.base = this.base.replace(/"execution_status":"[^"]*"/, `"execution_status":"${status}"`)
  }

  setParent(place: number, id: string): void {
    this.events[place] = this.events[place]?.replace(/"parent_id":"[^"]*"/, `"parent_id":"${id}"`)
  }

  /** Puts an event after another one on the branch. Its text has some parent if this is a tree. */
  insert(place: number | undefined, event: string): void {
    const behind = place ?? this.events.findLastIndex(other => other !== undefined)
    const after = this.#child(behind)
    const parent = this.at(behind).id
    const { id } = JSON.parse(event) as Event
    if (after !== undefined && this.isTree) this.setParent(after, id)
    if (after === undefined && this.isTree) this.setHead(id)
    this.events.splice(behind + 1, 0, event)
    if (this.isTree) this.setParent(behind + 1, parent)
  }

  /** Takes an event off the branch, and closes the gap. */
  remove(place: number): string {
    const branch = this.branch()
    const parent = branch[branch.indexOf(place) - 1]
    const after = this.#child(place)
    if (this.isTree && parent !== undefined) {
      const { id } = this.at(parent)
      if (after !== undefined) this.setParent(after, id)
      else this.setHead(id)
      const gone = this.at(place).id
      for (const index of this.events.keys())
        if (this.events[index] !== undefined && this.at(index).parent_id === gone) this.setParent(index, id)
    }
    return this.events.splice(place, 1)[0] as string
  }

  /** Cuts the branch off after an event: what followed is lost. */
  cut(behind: number): void {
    for (const place of this.branch().toReversed()) {
      if (place === behind) return
      this.remove(place)
    }
  }

  #child(place: number): number | undefined {
    const branch = this.branch()
    return branch[branch.indexOf(place) + 1]
  }

  #before(place: number): number | undefined {
    const before = this.events.findLastIndex((event, index) => index < place && event !== undefined)
    return before < 0 ? undefined : before
  }
}
