import { type CodecId, codecs } from '../../codecs/index.ts'
import type { ReplyDelta } from '../../codecs/shared/reply.ts'
import { isRecord, type Part } from '../../core/conversation.ts'
import type { CallPlace, Entry, Outcome, TurnStatus } from '../../journal/entry.ts'
import { callId } from '../../journal/fold.ts'
import type { AgentNews } from './agents/chat-agents.ts'
import { QuestionChunks, type ShownQuestion } from './agents/question-chunks.ts'
import type { Chunk } from './chunk.ts'
import { fileChunks, outputText, recordedInput, recordedOutput } from './recorded-part.ts'

export interface AnswerOptions {
  readonly uid: string
  /** The position at which the answered input was admitted. */
  readonly admitted: number
  /** For a stored message: approvals are included in full, which not every version of the library reads in a stream. */
  readonly isStored?: boolean
  /** The questions that the client has. */
  readonly shown?: Iterable<ShownQuestion>
}

/**
 * Converts the entries of a thread between two inputs to chunks of one assistant message. `#steps` counts the responses so
 * far; `#hasStreamed` is whether deltas of the next one were sent already, `#words` the part that they belong to, and
 * `#begun` which of its calls have begun. `#calls` are the calls by the journal's id, `#asked` those that wait for an
 * approval, and `#agents` those that wait for an agent. `#lastOutcome` is the last chunk about a call of the last response, if there is one.
 */
export class AnswerChunks {
  readonly messageId: string
  readonly #options: AnswerOptions
  readonly #calls = new Map<string, string>()
  readonly #asked = new Set<string>()
  readonly #agents = new Set<string>()
  /** How the calls that wait for an approval were shown. */
  readonly #waiting = new Map<string, Chunk>()
  readonly #inputs = new Map<string, Chunk>()
  readonly #questions = new QuestionChunks()
  /** The open step has only questions; `#hasAsked` is whether there was such a step. */
  #isQuestionStep = false
  #hasAsked = false
  #begun = new Map<number, string>()
  #steps = 0
  #parts = 0
  #lastResponse = 0
  #lastOutcome: Chunk | undefined
  #isStepOpen = false
  #hasStreamed = false
  #words: { readonly sort: 'text' | 'reasoning'; readonly id: string } | undefined

  constructor(options: AnswerOptions) {
    this.#options = options
    this.messageId = answerId(options.uid, options.admitted)
    this.#questions.assume(options.shown ?? [])
  }

  /** The ids of its calls in the message, by the journal's ids. */
  get calls(): ReadonlyMap<string, string> {
    return this.#calls
  }

  /** Whether calls wait for agents. */
  get hasAgents(): boolean {
    return this.#agents.size > 0
  }

  /** The questions of agents that the client has, and that have no result. */
  get openQuestions(): readonly string[] {
    return this.#questions.open
  }

  /** Whether the client may have questions without a result of the agent of this call. */
  hasQuestionsOf(place: CallPlace): boolean {
    return this.#questions.hasOpen && this.#agents.has(callId(this.#options.uid, place))
  }

  get start(): Chunk {
    return { type: 'start', messageId: this.messageId }
  }

  entry(entry: Entry): Chunk[] {
    switch (entry.kind) {
      case 'response-record':
        return this.#record(entry)
      case 'call-park':
        if (entry.why === 'agent') this.#agents.add(callId(this.#options.uid, entry.call))
        return entry.why === 'approval' ? this.#ask(entry.call) : []
      case 'call-decide':
        this.#waiting.delete(callId(this.#options.uid, entry.call))
        return this.#decide(entry.call, entry.approved, entry.reason)
      case 'call-settle':
        return this.#settle(entry.call, entry.outcome)
      case 'call-late':
        // The model has continued without this result: the placeholder stays.
        return entry.call.step === this.#lastResponse ? this.#settle(entry.call, entry.outcome) : []
      case 'turn-end':
      case 'input-admit':
        return this.#leaveCalls()
      default:
        return []
    }
  }

  delta(delta: ReplyDelta): Chunk[] {
    const opened = this.#hasStreamed ? [] : this.#openStep()
    this.#hasStreamed = true
    switch (delta.kind) {
      case 'text':
      case 'reasoning':
        return [...opened, ...this.#say(delta.kind, delta.text)]
      case 'call':
        this.#begun.set(delta.index, delta.name)
        return [...opened, ...this.#endWords(), this.#about(delta.index, 'tool-input-start', { toolName: delta.name })]
      case 'input':
        return [...opened, this.#about(delta.index, 'tool-input-delta', { inputTextDelta: delta.text })]
    }
  }

  /** What was streamed since the last response is invalid. A stream cannot take it back, so the step only ends. */
  retract(): Chunk[] {
    if (!this.#hasStreamed) return []
    const chunks = [...this.#endWords(), ...this.#breakOff(0)]
    this.#hasStreamed = false
    return [...chunks, ...this.#closeStep()]
  }

  /**
   * Shows the questions of agents and their results. Clients send their decisions by themselves when all calls of the last step are decided, so
   * questions have a step of their own, without the calls of their agents. When the answer stops there (`isLast`), it repeats the open questions
   * of the chat itself.
   */
  agentNews({ questions, outcomes }: AgentNews, isLast: boolean): Chunk[] {
    const settled = [...outcomes].flatMap(([id, outcome]) => this.#questions.settle(id, outcome))
    const isNew = ({ id, path }: AgentNews['questions'][number]): boolean =>
      this.#agents.has(path[0] ?? '') && !this.#questions.has(id)
    const asked = questions.filter(isNew).flatMap(question => this.#questions.ask(question))
    this.#hasAsked ||= asked.length > 0
    const repeated = isLast && this.#hasAsked ? this.#repeatQuestions() : []
    if (asked.length + repeated.length === 0) return settled
    const opened = this.#isQuestionStep ? [] : this.#openStep()
    this.#isQuestionStep = true
    return [...settled, ...opened, ...asked, ...repeated]
  }

  #repeatQuestions(): Chunk[] {
    return [...this.#waiting].flatMap(([id, asked]) => [this.#inputs.get(id) ?? [], asked].flat())
  }

  /** The end of the stream. */
  end(status: TurnStatus | 'parked', errorText: string): Chunk[] {
    const closed = [...this.#endWords(), ...this.#breakOff(0), ...this.#closeStep()]
    if (status === 'interrupted') return [...closed, { type: 'abort' }]
    if (status === 'failed') return [...closed, { type: 'error', errorText }]
    return [...closed, { type: 'finish', finishReason: finishReasons[status] }]
  }

  #record({ seq, format, messages, calls }: Extract<Entry, { kind: 'response-record' }>): Chunk[] {
    const chunks = this.#hasStreamed ? this.#endWords() : messages.length === 0 ? [] : this.#openStep()
    this.#lastOutcome = undefined
    this.#inputs.clear()
    let index = 0
    const answered = new Map<string, number>()
    for (const { parts } of codecs[format as CodecId].decode(messages).messages) {
      for (const part of parts) {
        if (part.kind === 'call' && part.by === 'client') {
          const id = callId(this.#options.uid, { step: seq, index })
          this.#calls.set(id, this.#idOf(index))
          answered.set(part.id, index)
          const input = this.#about(index++, 'tool-input-available', calling(part.name, recordedInput(part.input)))
          this.#inputs.set(id, input)
          chunks.push(input)
        } else if (part.kind === 'result' && part.by === 'client') {
          const outcomeFields = outcome(part.error === true, recordedOutput(part.content))
          chunks.push(...this.#settled(this.#about(answered.get(part.id) ?? 0, ...outcomeFields)))
        } else chunks.push(...this.#tell(part))
      }
    }
    for (const chunk of this.#breakOff(calls.length)) chunks.push(chunk)
    this.#steps++
    this.#lastResponse = seq
    this.#hasStreamed = false
    return chunks
  }

  /** Parts that are not streamed as deltas, and text if no delta was sent. */
  #tell(part: Part): Chunk[] {
    switch (part.kind) {
      case 'text':
      case 'reasoning':
        if (this.#hasStreamed || part.text === '') return []
        return [...this.#say(part.kind, part.text), ...this.#endWords()]
      case 'call':
        return [
          { type: 'tool-input-available', toolCallId: part.id, ...calling(part.name, part.input), ...providerRun },
        ]
      case 'result':
        return [
          { type: 'tool-output-available', toolCallId: part.id, output: recordedOutput(part.content), ...providerRun },
        ]
      case 'other':
        return fileChunks(part.raw)
    }
  }

  /**
   * If a message ends with calls, clients assume that the model has not seen them yet and send the message again: an extra
   * step after them prevents that. Clients show a step only with its content, so the outcome is repeated in it.
   */
  #leaveCalls(): Chunk[] {
    const outcome = this.#lastOutcome
    this.#lastOutcome = undefined
    return outcome && !this.#hasStreamed ? [...this.#openStep(), outcome] : []
  }

  /** Records the outcome of a call, which is repeated in the last step if nothing follows. */
  #settled(outcome: Chunk): Chunk[] {
    this.#lastOutcome = outcome
    return [outcome]
  }

  #ask(place: CallPlace): Chunk[] {
    const id = callId(this.#options.uid, place)
    const toolCallId = this.#calls.get(id)
    this.#asked.add(id)
    if (toolCallId === undefined) return []
    const request = { type: 'tool-approval-request', approvalId: id, toolCallId }
    this.#waiting.set(id, request)
    return [request]
  }

  #decide(place: CallPlace, approved: boolean, reason: string | undefined): Chunk[] {
    const approvalId = callId(this.#options.uid, place)
    if (!this.#options.isStored || !this.#asked.delete(approvalId)) return []
    return [{ type: 'tool-approval-response', approvalId, approved, ...(reason === undefined ? {} : { reason }) }]
  }

  #settle(place: CallPlace, { status, state, content }: Outcome): Chunk[] {
    const id = callId(this.#options.uid, place)
    const toolCallId = this.#calls.get(id)
    if (toolCallId === undefined) return []
    this.#waiting.delete(id)
    const left = this.#agents.delete(id) ? this.#questions.leave(id) : []
    if (status === 'made-up' && state === 'denied')
      return [
        ...this.#decide(place, false, outputText(content)),
        ...this.#settled({ type: 'tool-output-denied', toolCallId }),
      ]
    const [type, fields] = outcome(status !== 'done', content)
    return [...left, ...this.#settled({ type, toolCallId, ...fields })]
  }

  #say(sort: 'text' | 'reasoning', delta: string): Chunk[] {
    const before = this.#words?.sort === sort ? [] : this.#endWords()
    const id = this.#words?.id ?? `${sort}-${++this.#parts}`
    const opened = this.#words ? [] : [{ type: `${sort}-start`, id }]
    this.#words = { sort, id }
    return [...before, ...opened, { type: `${sort}-delta`, id, delta }]
  }

  #endWords(): Chunk[] {
    const words = this.#words
    this.#words = undefined
    return words ? [{ type: `${words.sort}-end`, id: words.id }] : []
  }

  #openStep(): Chunk[] {
    const closed = this.#closeStep()
    this.#isStepOpen = true
    return [...closed, { type: 'start-step' }]
  }

  #closeStep(): Chunk[] {
    const isOpen = this.#isStepOpen
    this.#isStepOpen = false
    this.#isQuestionStep = false
    return isOpen ? [{ type: 'finish-step' }] : []
  }

  /** Ends calls from an index on that began to stream but were not made. */
  #breakOff(from: number): Chunk[] {
    const broken = [...this.#begun].filter(([index]) => index >= from)
    this.#begun = new Map()
    const errorText = 'The call broke off.'
    return broken.map(([index, toolName]) => {
      this.#settled(this.#about(index, 'tool-output-error', { errorText }))
      return this.#about(index, 'tool-input-error', { toolName, input: {}, errorText })
    })
  }

  #about(index: number, type: string, fields: object): Chunk {
    return { type, toolCallId: this.#idOf(index), ...fields }
  }

  /** Providers use one id for several calls, so the message has its own ids. */
  #idOf(index: number): string {
    return `${this.messageId}-${this.#steps}-${index}`
  }
}

/** The id of the message that answers the input admitted at a position. */
export const answerId = (uid: string, admitted: number): string => `${uid}-${admitted}`

const providerRun = { providerExecuted: true }

const calling = (toolName: string, input: unknown): object => ({ toolName, input: isRecord(input) ? input : { input } })

const outcome = (isError: boolean, output: unknown): [type: string, fields: object] =>
  isError ? ['tool-output-error', { errorText: outputText(output) }] : ['tool-output-available', { output }]

const finishReasons = {
  done: 'stop',
  length: 'length',
  refused: 'content-filter',
  limit: 'tool-calls',
  parked: 'tool-calls',
} as const
