import type { ReplyDelta } from '../../codecs/shared/reply.ts'
import type { CallPlace, Entry, ErrorData } from '../../journal/entry.ts'
import type { AgentNews } from './agents/chat-agents.ts'
import type { ShownQuestion } from './agents/question-chunks.ts'
import { AnswerChunks } from './answer-chunks.ts'
import type { Chunk } from './chunk.ts'

/** Which answer is streamed, and how. */
export interface AnswerStreamOptions {
  readonly uid: string
  /** The position of the answered input; `next`: the next input. */
  readonly input: number | 'next'
  /** The client has the entries up to this position. */
  readonly after: number
  /** The questions that the client has. */
  readonly shown: readonly ShownQuestion[]
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

  /** The questions of agents that the client has, and that have no result. */
  get openQuestions(): readonly string[] {
    return this.#answer?.openQuestions ?? []
  }

  /** Whether the client may have questions without a result of the agent of this call. */
  hasQuestionsOf(call: CallPlace): boolean {
    return this.#answer?.hasQuestionsOf(call) ?? false
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

  *agentNews(news: AgentNews): Generator<Chunk> {
    if (this.#answer && !this.isOver) yield* this.#send(this.#answer.agentNews(news, false))
  }

  /** The turn waits for a person or a client, and so do its agents. */
  *park(news: AgentNews): Generator<Chunk> {
    if (!this.#answer || this.isOver) return
    yield* this.#send(this.#answer.agentNews(news, true))
    yield* this.#end('parked')
  }

  /** The next input begins another answer. */
  *#admit(entry: Extract<Entry, { kind: 'input-admit' }>): Generator<Chunk> {
    const { uid, input, shown } = this.#options
    if (this.#answer) {
      yield* this.#send(this.#answer.entry(entry))
      yield* this.#end('done')
    } else if (input === 'next' || entry.inputs.includes(input))
      this.#answer = new AnswerChunks({ uid, admitted: entry.seq, shown })
  }

  *#stop(entry: Extract<Entry, { kind: 'turn-end' | 'turn-park' }>): Generator<Chunk> {
    if (!this.#answer || entry.seq <= this.#options.after) return
    // Its agents go on, or ask something themselves.
    if (entry.kind === 'turn-park' && this.#answer.hasAgents) return
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
