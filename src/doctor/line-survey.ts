import type { Part } from '../core/conversation.ts'
import type { RecordContent } from './record-format.ts'

/** Records from `from` up to `to`. */
export interface Range {
  readonly from: number
  readonly to: number
}

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

  push(record: number, contents: readonly RecordContent[]): void {
    for (const [index, { role, parts, step }] of contents.entries()) {
      if (role === 'tool') {
        this.#words = undefined
        this.#takeResults(parts)
      } else {
        const joins = role === 'assistant' && step !== undefined && step === this.#step
        const words = role === 'user' ? textOf(parts) : undefined
        const repeats = words !== undefined && words === this.#words
        if (repeats) this.#doubtful = true
        else if (!joins && index === 0) this.#close(record)
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

  #takeCalls(parts: readonly Part[]): void {
    for (const part of parts) {
      if (part.kind === 'result' || (part.kind === 'call' && part.by === 'provider')) this.#doubtful = true
      if (part.kind !== 'call' || part.by === 'provider') continue
      this.calls++
      this.#latest = this.#from
      if (part.id === '' || this.#open.has(part.id)) this.#doubtful = true
      this.#open.set(part.id, (this.#open.get(part.id) ?? 0) + 1)
      this.#reachTo(this.#strays.get(part.id))
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
      if (this.#open.delete(part.id) && part.id !== '') continue
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

const textOf = (parts: readonly Part[]): string =>
  parts.map(part => (part.kind === 'text' ? part.text : `[${part.kind}]`)).join('\n')
