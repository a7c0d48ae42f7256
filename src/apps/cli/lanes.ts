import type { TapeEntry } from '../../observe/tape/entry.ts'
import type { Inspection } from '../../observe/tape/inspect.ts'

const lanesMax = 8

/**
 * Bars next to a list of entries, one for each open call. A call opens when a response makes it or when it is
 * started; it closes when it ends or, if the tape has no end of it, with the request that contains its result.
 *
 * `#lanes` has the call of each lane. There are few: a call for which none is free is not drawn.
 */
export class Lanes {
  readonly #answered = new Map<string, string[]>()
  readonly #made = new Map<string, string[]>()
  readonly #running = new Set<string>()
  readonly #lanes = new Array<string | undefined>(lanesMax).fill(undefined)

  constructor({ requests, calls }: Inspection) {
    const idAt = (number: number): string => requests[number - 1]?.request.id ?? ''
    for (const { id, ends, sent, recorded } of calls) {
      const answer = ends.length > 0 ? undefined : sent.find(({ answered }) => answered)
      if (answer) add(this.#answered, idAt(answer.request), id)
      if (recorded?.request !== undefined) add(this.#made, idAt(recorded.request), id)
    }
  }

  /** The bars for the next entry of the tape. */
  next(entry: TapeEntry): string {
    const opened = new Set(entry.kind === 'response' ? take(this.#made, entry.request ?? '') : [])
    const started = new Set(entry.kind === 'call-start' ? [entry.call] : [])
    const closed = new Set(entry.kind === 'call-end' ? [entry.call] : take(this.#answered, idOf(entry)))
    for (const id of [...opened, ...started]) this.#open(id)
    for (const id of started) this.#running.add(id)
    const bars = this.#lanes.map(id => {
      if (id === undefined) return ' '
      if (closed.has(id)) return '┗'
      if (started.has(id)) return '┏'
      if (opened.has(id)) return '╷'
      return this.#running.has(id) ? '┃' : '┊'
    })
    for (const id of closed) this.#close(id)
    return bars.join('')
  }

  #open(id: string): void {
    const free = this.#lanes.indexOf(undefined)
    if (free >= 0 && !this.#lanes.includes(id)) this.#lanes[free] = id
  }

  #close(id: string): void {
    const lane = this.#lanes.indexOf(id)
    if (lane >= 0) this.#lanes[lane] = undefined
    this.#running.delete(id)
  }
}

const idOf = (entry: TapeEntry): string => (entry.kind === 'request' ? entry.id : '')

function add(map: Map<string, string[]>, key: string, value: string): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}

/** A call opens once and closes once, even if several entries have the id of its request: a foreign tape may have thousands. */
function take(map: Map<string, string[]>, key: string): string[] {
  const known = map.get(key) ?? []
  map.delete(key)
  return known
}
