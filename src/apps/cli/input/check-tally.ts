import type { CallCounts } from '../../../heal/count.ts'
import { callCountsText, plural, sumCounts } from '../counts.ts'
import type { Flags } from '../flags.ts'
import { plain } from '../plain.ts'
import type { EndedLine } from './request-lines.ts'
import type { Subject } from './subject.ts'

const none: CallCounts = { calls: 0, results: 0, orphans: 0, unanswered: 0 }

/** Counts what `check` has seen, and prints the summaries: of a file with several requests, and of several files. */
export class CheckTally {
  readonly #files: readonly string[]
  readonly #flags: Flags
  readonly #counted: CallCounts[] = []
  #series = emptySeries()

  constructor(files: readonly string[], flags: Flags) {
    this.#files = files
    this.#flags = flags
  }

  /** How many of so many diagnostics of a series may still be printed. */
  limit(count: number): number {
    const max = this.#flags.all ? count : Math.max(0, Math.min(count, printedMax - this.#series.printed))
    this.#series.printed += max
    this.#series.hidden += count - max
    return max
  }

  add({ foundIn }: Subject, counts: CallCounts, isBroken: boolean): void {
    const series = this.#series
    series.counts = sumCounts([series.counts, counts])
    series.seen++
    if (isBroken) series.broken++
    if (foundIn?.isSeries) series.kind = foundIn.kind
  }

  line({ error, hasHistory, bytes }: EndedLine): void {
    this.#series.kind ??= 'JSON lines'
    if (error !== undefined) this.#series.unreadable++
    else if (!hasHistory && bytes.toString().trim() !== '') this.#series.without++
  }

  end(file: string): void {
    const { kind, seen, broken, unreadable, without, hidden, counts } = this.#series
    this.#series = emptySeries()
    if (seen > 0) this.#counted.push(counts)
    if (kind === undefined || this.#flags.json) return
    const words = [
      `${seen - broken} healthy`,
      ...(broken > 0 ? [`${broken} with errors`] : []),
      ...(unreadable > 0 ? [`${plural(unreadable, 'line')} unreadable`] : []),
      ...(without > 0 ? [`${plural(without, 'line')} without a history`] : []),
    ]
    const name = plain(file === '-' ? '<stdin>' : file)
    if (hidden > 0) print(`... and ${plural(hidden, 'more diagnostic')}; --all prints them\n`)
    print(`${name}: ${plural(seen, 'request')} in ${kind}: ${words.join(', ')}`)
    print(`${this.#files.length > 1 ? `${name}: ` : ''}${callCountsText(counts)}`)
  }

  total(): void {
    if (this.#files.length > 1 && !this.#flags.json)
      print(`total of ${plural(this.#counted.length, 'file')}: ${callCountsText(sumCounts(this.#counted))}`)
  }
}

interface Series {
  kind: string | undefined
  counts: CallCounts
  seen: number
  broken: number
  unreadable: number
  without: number
  printed: number
  hidden: number
}

const emptySeries = (): Series => ({
  ...{ kind: undefined, counts: none, seen: 0, broken: 0 },
  ...{ unreadable: 0, without: 0, printed: 0, hidden: 0 },
})

const printedMax = 50

const print = (line: string): void => void process.stdout.write(`${line}\n`)
