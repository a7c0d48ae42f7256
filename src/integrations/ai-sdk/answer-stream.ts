import type { ReplyDelta } from '../../codecs/shared/reply.ts'
import type { Entry, ErrorData } from '../../journal/entry.ts'
import { AnswerChunks } from './answer-chunks.ts'
import type { Chunk } from './chunk.ts'

/** Which answer is streamed, and how. */
export interface AnswerStreamOptions {
  readonly uid: string
  /** The position of the answered input; `next`: the next input. */
  readonly input: number | 'next'
  /** The client has the entries up to this position. */
  readonly after: number
  readonly errorText: (error: ErrorData) => string
}

/** The chunks of one answer of a thread. Everything else is ignored. */
export class AnswerStream {
  isOver = false
  readonly #options: AnswerStreamOptions
  #answer: AnswerChunks | undefined
  #turn: number | undefined
  #hasStarted = false

  constructor(options: AnswerStreamOptions) {
    this.#options = options
  }

  /** The current turn of the answer, if it has begun and not ended. */
  get turn(): number | undefined {
    return this.#answer && !this.isOver ? this.#turn : undefined
  }

  *entry(entry: Entry): Generator<Chunk> {
    if (this.isOver) return
    if ('turn' in entry) this.#turn = entry.turn
    if (entry.kind === 'input-admit') yield* this.#admit(entry)
    else if (entry.kind === 'turn-end' || entry.kind === 'turn-park') yield* this.#stop(entry)
    else if (this.#answer) yield* this.#send(this.#answer.entry(entry), entry.seq)
  }

  *delta(delta: ReplyDelta): Generator<Chunk> {
    if (this.#answer && !this.isOver) yield* this.#send(this.#answer.delta(delta))
  }

  *retract(): Generator<Chunk> {
    if (this.#answer && !this.isOver) yield* this.#send(this.#answer.retract())
  }

  /** The next input begins another answer. */
  *#admit(entry: Extract<Entry, { kind: 'input-admit' }>): Generator<Chunk> {
    const { uid, input } = this.#options
    if (this.#answer) {
      yield* this.#send(this.#answer.entry(entry))
      yield* this.#end('done')
    } else if (input === 'next' || entry.inputs.includes(input))
      this.#answer = new AnswerChunks({ uid, admitted: entry.seq })
  }

  *#stop(entry: Extract<Entry, { kind: 'turn-end' | 'turn-park' }>): Generator<Chunk> {
    if (!this.#answer || entry.seq <= this.#options.after) return
    yield* this.#send(this.#answer.entry(entry))
    if (entry.kind === 'turn-park') yield* this.#end('parked')
    else yield* this.#end(entry.status, entry.error)
  }

  *#end(status: Parameters<AnswerChunks['end']>[0], error?: ErrorData): Generator<Chunk> {
    if (this.#answer) yield* this.#send(this.#answer.end(status, error ? this.#options.errorText(error) : ''))
    this.isOver = true
  }

  *#send(chunks: readonly Chunk[], seq = Infinity): Generator<Chunk> {
    if (!this.#answer || seq <= this.#options.after) return
    if (!this.#hasStarted) yield this.#answer.start
    this.#hasStarted = true
    yield* chunks
  }
}
