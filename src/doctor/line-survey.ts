import type { CallPart, Part, ResultPart, Role } from '../core/conversation.ts'
import type { Facts } from '../core/dialect.ts'
import type { RecordContent } from './record-format.ts'

/** Records from `from` up to `to`. */
export interface Range {
  readonly from: number
  readonly to: number
}

type SurveyFacts = Partial<Pick<Facts, 'uniqueIds' | 'loneReasoning'>>

/**
 * Finds the records of a conversation of any length that need a second look, holding only the ids of its calls. It may
 * doubt healthy records, but never misses a broken one.
 *
 * A segment is one message, or a step with its results. `from` is where the current one begins, `reach` how far back
 * its dependencies go: from a late result to its call, from a call to an early result. `open` has the calls that wait
 * for a result.
 */
export class LineSurvey {
  calls = 0
  results = 0
  readonly #ranges: Range[] = []
  readonly #callsAt = new Map<string, number>()
  readonly #strays = new Map<string, number>()
  readonly #open = new Map<string, number>()
  /** Where the latest step begins, while only the assistant has spoken since: a result without a call may answer it. */
  #latest: number | undefined
  #from = 0
  #reach = 0
  #doubtful = false
  #step: string | undefined
  #words: string | undefined
  /** The last part is reasoning with an id, which must be followed by what it led to. */
  #isLone = false
  readonly #bindsReasoning: boolean
  readonly #hasUniqueIds: boolean

  constructor({ uniqueIds, loneReasoning = 'accept' }: SurveyFacts = {}) {
    this.#bindsReasoning = loneReasoning !== 'accept'
    this.#hasUniqueIds = uniqueIds === 'history'
  }

  /** Where the current segment begins. */
  get segment(): number {
    return this.#from
  }

  /** The current segment depends on an earlier one. */
  dependOn(segment: number): void {
    this.#doubtful = true
    this.#reachTo(segment)
  }

  push(record: number, contents: readonly RecordContent[]): void {
    for (const [index, { role, parts, step }] of contents.entries()) {
      // Reasoning is looked at together with what follows it, also with what would follow after a repair.
      const isHeld = role === 'assistant' && (this.#isLone || (this.#bindsReasoning && this.#doubtful))
      this.#follow(role)
      if (role === 'tool') {
        this.#words = undefined
        this.#takeResults(parts)
      } else {
        const joins = role === 'assistant' && step !== undefined && step === this.#step
        const words = role === 'user' ? textOf(parts) : undefined
        const repeats = words !== undefined && words === this.#words
        if (repeats) this.#doubtful = true
        else if (!joins && index === 0 && !isHeld) this.#close(record)
        // A record belongs to one segment: text after results in it does not begin another.
        else if (!joins && this.#open.size > 0) this.#doubtful = true
        if (role !== 'assistant' && role !== 'user' && role !== 'system') this.#doubtful = true
        this.#words = words
        if (role !== 'assistant') this.#latest = undefined
        this.#takeCalls(parts)
      }
      this.#step = role === 'assistant' ? step : undefined
    }
  }

  /** The ranges that need a second look. `count` is the number of records; adjacent ranges are merged. */
  end(count: number): Range[] {
    this.#follow('other')
    this.#close(count)
    const ranges: Range[] = []
    for (const range of this.#ranges.toSorted((a, b) => a.from - b.from)) {
      const last = ranges.at(-1)
      if (last && range.from <= last.to)
        ranges[ranges.length - 1] = { from: last.from, to: Math.max(last.to, range.to) }
      else ranges.push(range)
    }
    return ranges
  }

  #follow(role: Role): void {
    if (this.#isLone && role !== 'assistant') this.#doubtful = true
    this.#isLone = false
  }

  #takeCalls(parts: readonly Part[]): void {
    for (const part of parts) {
      this.#isLone = this.#bindsReasoning && part.kind === 'reasoning' && part.itemId !== undefined
      if (part.kind === 'result' || (part.kind === 'call' && part.by === 'provider')) this.#doubtful = true
      if (part.kind !== 'call' || part.by === 'provider') continue
      this.calls++
      this.#latest = this.#from
      if (part.id === '' || this.#open.has(openKey(part))) this.#doubtful = true
      this.#open.set(openKey(part), (this.#open.get(openKey(part)) ?? 0) + 1)
      this.#reachTo(this.#strays.get(part.id))
      if (this.#hasUniqueIds) this.#reachTo(this.#callsAt.get(part.id))
      this.#callsAt.set(part.id, this.#from)
    }
  }

  #takeResults(parts: readonly Part[]): void {
    for (const part of parts) {
      if (part.kind !== 'result') {
        this.#doubtful = true
        continue
      }
      this.results++
      if (this.#open.delete(openKey(part)) && part.id !== '') continue
      this.#doubtful = true
      this.#reachTo(this.#latest)
      const call = this.#callsAt.get(part.id)
      if (call !== undefined) this.#reachTo(call)
      else if (!this.#strays.has(part.id)) this.#strays.set(part.id, this.#from)
    }
  }

  #reachTo(record: number | undefined): void {
    if (record === undefined || record === this.#from) return
    this.#doubtful = true
    this.#reach = Math.min(this.#reach, record)
  }

  #close(record: number): void {
    if ((this.#doubtful || this.#open.size > 0) && record > this.#reach)
      this.#ranges.push({ from: this.#reach, to: record })
    this.#from = record
    this.#reach = record
    this.#doubtful = false
    this.#open.clear()
    this.#step = undefined
  }
}

/** A result for another kind of call is doubtful. */
const openKey = ({ callKind, id }: CallPart | ResultPart): string => `${callKind} ${id}`

const textOf = (parts: readonly Part[]): string =>
  parts.map(part => (part.kind === 'text' ? part.text : `[${part.kind}]`)).join('\n')
