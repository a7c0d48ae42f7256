import type { ReplyDelta } from '../../codecs/shared/reply.ts'

/** Which response is streamed. Of two, the one with the greater epoch is newer, and of the same owner the one with the greater number. */
export interface StreamId {
  readonly epoch: number
  /** Counts the responses of one owner. One that is retracted is followed by an empty one. */
  readonly stream: number
}

/** Negative if the first is older. */
export const compareStreams = (one: StreamId, other: StreamId): number =>
  one.epoch - other.epoch || one.stream - other.stream

/** What has streamed of a response that is not recorded yet. An offset counts the characters, and one for each call that begins. */
export class StreamedResponse implements StreamId {
  readonly epoch: number
  readonly stream: number
  /** The last entry when the response began. It is shown after that entry. */
  readonly after: number
  /** Deltas and the offsets at which they begin. Small ones of the same kind are joined. */
  readonly #deltas: { readonly at: number; readonly delta: ReplyDelta }[] = []
  #size = 0
  #isFull = false

  constructor({ epoch, stream }: StreamId, after: number) {
    this.epoch = epoch
    this.stream = stream
    this.after = after
  }

  get size(): number {
    return this.#size
  }

  /** Nothing is added above the limit: readers wait for the recorded response then. */
  push(delta: ReplyDelta): boolean {
    const size = sizeOf(delta)
    this.#isFull ||= this.#size + size > sizeMax
    if (this.#isFull || size === 0) return false
    const last = this.#deltas.at(-1)
    const joined = last && join(last.delta, delta)
    if (last && joined) this.#deltas[this.#deltas.length - 1] = { at: last.at, delta: joined }
    else this.#deltas.push({ at: this.#size, delta })
    this.#size += size
    return true
  }

  /** Adds deltas that begin at an offset. What is known already is skipped. Returns false if something before them is missing. */
  merge(offset: number, deltas: readonly ReplyDelta[]): boolean {
    if (offset > this.#size) return false
    for (let at = offset, index = 0; index < deltas.length; index++) {
      const delta = deltas[index] as ReplyDelta
      const size = sizeOf(delta)
      const missing = part(delta, Math.max(0, this.#size - at), size)
      at += size
      if (missing) this.push(missing)
    }
    return true
  }

  /** What follows an offset, up to another one. */
  slice(from: number, to = this.#size): ReplyDelta[] {
    const found: ReplyDelta[] = []
    // From the end: readers are usually there.
    for (let index = this.#deltas.length - 1; index >= 0; index--) {
      const { at, delta } = this.#deltas[index] as { at: number; delta: ReplyDelta }
      if (at + sizeOf(delta) <= from) break
      const piece = part(delta, Math.max(0, from - at), to - at)
      if (piece) found.push(piece)
    }
    return found.reverse()
  }

  /** The text up to an offset, without reasoning and calls. */
  textUpTo(offset: number): string {
    return this.slice(0, offset)
      .map(delta => (delta.kind === 'text' ? delta.text : ''))
      .join('')
  }
}

export const sizeOf = (delta: ReplyDelta): number => (delta.kind === 'call' ? 1 : delta.text.length)

function join(last: ReplyDelta, next: ReplyDelta): ReplyDelta | undefined {
  if (last.kind === 'call' || next.kind === 'call' || last.kind !== next.kind) return undefined
  if (last.kind === 'input' && next.kind === 'input' && last.index !== next.index) return undefined
  // Only short deltas are joined: readers slice the last one after every push, which takes quadratic time if it grows without a limit.
  return last.text.length < joinedMax ? { ...last, text: last.text + next.text } : undefined
}

/** The part of a delta between two offsets in it, if there is one. */
function part(delta: ReplyDelta, from: number, to: number): ReplyDelta | undefined {
  if (delta.kind === 'call') return from < 1 && to >= 1 ? delta : undefined
  const text = delta.text.slice(from, Math.max(from, to))
  return text === '' ? undefined : { ...delta, text }
}

const joinedMax = 1_000

/** About a million characters: a response that is longer is shown when it is recorded. */
const sizeMax = 1_000_000
