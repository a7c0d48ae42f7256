import {
  aggregateTokenUsage,
  type Event,
  EventType,
  type Message,
  type TokenUsage,
  type ToolCall,
  type UserMessage,
} from '@ag-ui/core'
import type { ReplyDelta } from '../../codecs/shared/reply.ts'
import { equal } from '../../core/json/equal.ts'
import type { CallPlace, CallSettle, Entry, Outcome } from '../../journal/entry.ts'
import { ClientCopy } from './client-copy.ts'
import { ownMessages } from './own-messages.ts'
import { resultMessage } from './step-messages.ts'
import { closing, content, opening, StepStream } from './step-stream.ts'
import type { ThreadView } from './thread-view.ts'
import { usageOf } from './usage.ts'

/**
 * Tells a client what happens in a thread, whoever makes it happen. What the owner of the turn streams is told as it comes;
 * what is recorded without that is told as a whole. If what was recorded is not what was streamed, a snapshot corrects it.
 */
export class Announcer {
  readonly #view: ThreadView
  readonly #send: (event: Event) => void
  readonly #showsReasoning: boolean
  /** Messages of the client that are no part of a thread: they stay in front. */
  readonly #kept: readonly Message[]
  readonly #before: readonly Message[]
  readonly #copy: ClientCopy
  /** Messages of the client that a snapshot must not take away while they wait. */
  readonly #mine: ReadonlySet<string>
  #stream: StepStream | undefined
  #step: string | undefined
  /** The calls that were told to begin in this run, and have no result yet. */
  readonly #begun = new Set<string>()
  readonly #usage: TokenUsage[] = []
  /** The turns that this run has brought on itself: what they cost is its own. */
  readonly owned = new Set<number>()

  constructor(view: ThreadView, messages: readonly Message[], send: (event: Event) => void, showsReasoning: boolean) {
    this.#view = view
    this.#send = send
    this.#showsReasoning = showsReasoning
    this.#kept = ownMessages(messages)
    this.#before = messages.filter(({ role }) => role !== 'activity')
    this.#copy = new ClientCopy(messages)
    this.#mine = new Set(messages.map(({ id }) => id))
  }

  /** The calls that began in this run and that nobody has answered. */
  get pending(): string[] {
    return [...this.#begun]
  }

  get usage(): TokenUsage[] {
    return aggregateTokenUsage(this.#usage)
  }

  /** Tells the client what it has wrong, if it has, and then the results that its own answers have brought about. */
  greet(settled: readonly CallSettle[]): void {
    const results = settled.flatMap(({ call: { step, index }, outcome }) => {
      const call = this.#view.callAt(step, index)
      return call ? [resultMessage(call, this.#view.nameOf(call), outcome)] : []
    })
    const told = new Set(results.map(({ id }) => id))
    const wanted = this.#copy.arrange(this.#messages.filter(({ id }) => !told.has(id)))
    if (!equal(this.#before, wanted)) this.snapshot(results)
    for (const result of results) this.#tellWhole(result)
  }

  snapshot(except: readonly Message[] = []): void {
    const left = new Set(except.map(({ id }) => id))
    const shown = this.#copy.arrange(this.#messages.filter(({ id }) => !left.has(id)))
    for (const messages of this.#copy.bringTo(shown)) this.#send({ type: EventType.MESSAGES_SNAPSHOT, messages })
  }

  delta(delta: ReplyDelta): void {
    this.#beginStep(this.#view.stepName)
    this.#stream ??= new StepStream(this.#view, this.#copy, event => this.#tell(event), this.#showsReasoning)
    this.#stream.push(delta)
  }

  /** What was streamed since the last response is void: it is asked for again, or it failed. */
  retract(): void {
    const stream = this.#stream
    this.#stream = undefined
    if (stream) this.#void(stream, [])
  }

  take(entry: Entry): void {
    const { stepName } = this.#view
    this.#view.take(entry)
    switch (entry.kind) {
      case 'input-admit':
        if (!this.#copy.fits(this.#copy.arrange(this.#messages))) this.snapshot()
        break
      case 'response-record':
        if (this.owned.has(entry.turn)) this.#usage.push(...usageOf(entry))
        this.#takeStep(stepName)
        break
      case 'call-settle':
        this.#answer(entry.call, entry.outcome)
        break
      case 'call-late':
        this.snapshot()
        break
      case 'turn-end':
        this.retract()
        break
    }
  }

  /** Closes what is open, and shows the thread as it is. */
  finish(): void {
    this.retract()
    this.#endStep()
    this.snapshot()
  }

  get #messages(): Message[] {
    const isMine = ({ id }: UserMessage): boolean => this.#mine.has(id)
    const said = this.#view.messages(isMine)
    const known = new Set(said.map(({ id }) => id))
    return [...this.#kept.filter(({ id }) => !known.has(id)), ...said]
  }

  #takeStep(name: string): void {
    this.#beginStep(name)
    const item = this.#view.state.items.at(-1)
    const messages = item?.kind === 'step' ? this.#view.step(item.step) : []
    const stream = this.#stream
    this.#stream = undefined
    const isTold = stream?.isAs(messages) === true
    if (isTold) stream.end()
    else if (stream) this.#void(stream, messages)
    for (const message of messages) if (!isTold || message.role === 'tool') this.#tellWhole(message)
  }

  /**
   * Takes back what was streamed. Calls are taken from the list before they are closed, so that no client runs them, and
   * get a result, so that none takes them for left open; that goes with the next snapshot.
   */
  #void(stream: StepStream, recorded: readonly Message[]): void {
    const made = new Set(recorded.flatMap(callsOf).map(({ id }) => id))
    this.snapshot(recorded)
    stream.end()
    for (const toolCallId of stream.callIds.filter(id => !made.has(id)))
      this.#tell({
        type: EventType.TOOL_CALL_RESULT,
        messageId: `${toolCallId}-void`,
        toolCallId,
        content: 'This call was never made: the answer of the model broke off.',
        role: 'tool',
      })
  }

  #tellWhole(message: Message): void {
    if (message.role === 'tool') {
      const { id: messageId, toolCallId, content } = message
      if (this.#copy.has(messageId)) return
      const call = this.#view.callNamed(toolCallId)
      this.#copy.answer(messageId, call ? this.#callMessage(call.place, toolCallId) : '')
      this.#tell({ type: EventType.TOOL_CALL_RESULT, messageId, toolCallId, content, role: 'tool' })
      return
    }
    // A thought may be there already: no snapshot has taken it away.
    if (message.role === 'reasoning' && this.#copy.has(message.id)) return
    this.#copy.append(message.id, message.role)
    const words = typeof message.content === 'string' ? message.content : ''
    if (words !== '' && (message.role === 'assistant' || message.role === 'reasoning')) {
      const kind = message.role === 'assistant' ? 'text' : 'reasoning'
      for (const event of [
        ...opening(kind, message.id),
        content(kind, message.id, words),
        ...closing(kind, message.id),
      ])
        this.#tell(event)
    }
    for (const { id: toolCallId, function: called } of callsOf(message)) {
      const { name: toolCallName, arguments: delta } = called
      this.#tell({ type: EventType.TOOL_CALL_START, toolCallId, toolCallName, parentMessageId: message.id })
      if (delta !== '') this.#tell({ type: EventType.TOOL_CALL_ARGS, toolCallId, delta })
      this.#tell({ type: EventType.TOOL_CALL_END, toolCallId })
    }
  }

  #answer({ step, index }: CallPlace, outcome: Outcome): void {
    const call = this.#view.callAt(step, index)
    if (call) this.#tellWhole(resultMessage(call, this.#view.nameOf(call), outcome))
  }

  /** The id of the message that a call stands in. */
  #callMessage({ step }: CallPlace, toolCallId: string): string {
    const item = this.#view.state.items.findLast(item => item.kind === 'step' && item.step.seq === step)
    const messages = item?.kind === 'step' ? this.#view.step(item.step) : []
    const isCaller = (message: Message): boolean => callsOf(message).some(({ id }) => id === toolCallId)
    return messages.find(isCaller)?.id ?? ''
  }

  #beginStep(stepName: string): void {
    if (this.#step === stepName) return
    this.#endStep()
    this.#step = stepName
    this.#send({ type: EventType.STEP_STARTED, stepName })
  }

  #endStep(): void {
    if (this.#step !== undefined) this.#send({ type: EventType.STEP_FINISHED, stepName: this.#step })
    this.#step = undefined
  }

  #tell(event: Event): void {
    if (event.type === EventType.TOOL_CALL_START) this.#begun.add(event.toolCallId)
    if (event.type === EventType.TOOL_CALL_RESULT) this.#begun.delete(event.toolCallId)
    this.#send(event)
  }
}

const callsOf = (message: Message): readonly ToolCall[] =>
  message.role === 'assistant' ? (message.toolCalls ?? []) : []
