import type { Event, Message, TokenUsage, ToolCall, UserMessage } from '@ag-ui/core'
import type { ReplyDelta } from '../../codecs/shared/reply.ts'
import { equal } from '../../core/json/equal.ts'
import type { CallPlace, CallSettle, Entry, Outcome } from '../../journal/entry.ts'
import { ClientCopy } from './client-copy.ts'
import { EventType } from './event-type.ts'
import { ownMessages } from './own-messages.ts'
import { resultMessage } from './step-messages.ts'
import { contentEvent, endEvents, StepStream, startEvents } from './step-stream.ts'
import type { ThreadView } from './thread-view.ts'
import { addUsage, tokenUsageOf } from './usage.ts'

/**
 * Sends what happens in a thread to a client as AG-UI events. Deltas of the running turn are sent as they come; entries that were recorded
 * without deltas are sent as a whole. If the recorded step differs from the streamed one, a snapshot corrects it.
 */
export class EventWriter {
  readonly #view: ThreadView
  readonly #send: (event: Event) => void
  readonly #showsReasoning: boolean
  /** Messages of the client that are not part of the thread: they stay first. */
  readonly #kept: readonly Message[]
  readonly #before: readonly Message[]
  readonly #copy: ClientCopy
  /** The ids of the client's messages: a snapshot must not remove them while they wait. */
  readonly #mine: ReadonlySet<string>
  #stream: StepStream | undefined
  #step: string | undefined
  /** The calls whose start was sent in this run, and that have no result yet. */
  readonly #begun = new Set<string>()
  /** The ids of the messages of calls, by the ids of the calls: found for all calls of a step at once. */
  readonly #callMessages = new Map<string, string>()
  readonly #usage: TokenUsage[] = []
  /** The turns that this run executes itself: their usage counts for this run. */
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

  /** The calls of this run without a result. */
  get pending(): string[] {
    return [...this.#begun]
  }

  get usage(): TokenUsage[] {
    return addUsage(this.#usage)
  }

  /** Corrects the client's history if it differs, and then sends the results that its own decisions have caused. */
  begin(settled: readonly CallSettle[]): void {
    const results = settled.flatMap(({ call: { step, index }, outcome }) => {
      const call = this.#view.callAt(step, index)
      return call ? [resultMessage(call, this.#view.nameOf(call), outcome)] : []
    })
    const sent = new Set(results.map(({ id }) => id))
    const wanted = this.#copy.arrange(this.#messages.filter(({ id }) => !sent.has(id)))
    if (!equal(this.#before, wanted)) this.snapshot(results)
    for (const result of results) this.#sendWhole(result)
  }

  snapshot(except: readonly Message[] = []): void {
    const left = new Set(except.map(({ id }) => id))
    const shown = this.#copy.arrange(this.#messages.filter(({ id }) => !left.has(id)))
    for (const messages of this.#copy.snapshotsFor(shown)) this.#send({ type: EventType.MESSAGES_SNAPSHOT, messages })
  }

  delta(delta: ReplyDelta): void {
    this.#beginStep(this.#view.stepName)
    this.#stream ??= new StepStream(this.#view, this.#copy, event => this.#sendTracked(event), this.#showsReasoning)
    this.#stream.push(delta)
  }

  /** Discards what was streamed since the last response: it is requested again, or it failed. */
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
        if (this.owned.has(entry.turn)) this.#usage.push(...tokenUsageOf(entry))
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

  /** Closes open steps and messages, and sends the final snapshot. */
  finish(): void {
    this.retract()
    this.#endStep()
    this.snapshot()
  }

  get #messages(): Message[] {
    const isMine = ({ id }: UserMessage): boolean => this.#mine.has(id)
    const shown = this.#view.messages(isMine)
    const known = new Set(shown.map(({ id }) => id))
    return [...this.#kept.filter(({ id }) => !known.has(id)), ...shown]
  }

  #takeStep(name: string): void {
    this.#beginStep(name)
    const item = this.#view.state.items.at(-1)
    const messages = item?.kind === 'step' ? this.#view.step(item.step) : []
    const stream = this.#stream
    this.#stream = undefined
    const isSent = stream?.matches(messages) === true
    if (isSent) stream.end()
    else if (stream) this.#void(stream, messages)
    for (const message of messages) if (!isSent || message.role === 'tool') this.#sendWhole(message)
  }

  /**
   * Takes back what was streamed. Calls are removed by a snapshot before they are closed, so that no client runs them, and get a result, so
   * that no client treats them as open; the next snapshot removes that result.
   */
  #void(stream: StepStream, recorded: readonly Message[]): void {
    const made = new Set(recorded.flatMap(callsOf).map(({ id }) => id))
    stream.endText()
    this.snapshot(recorded)
    stream.end()
    for (const toolCallId of stream.callIds.filter(id => !made.has(id)))
      this.#sendTracked({
        type: EventType.TOOL_CALL_RESULT,
        messageId: `${toolCallId}-void`,
        toolCallId,
        content: 'This call was never made: the answer of the model broke off.',
        role: 'tool',
      })
  }

  #sendWhole(message: Message): void {
    if (message.role === 'tool') {
      const { id: messageId, toolCallId, content } = message
      if (this.#copy.has(messageId)) return
      const call = this.#view.callNamed(toolCallId)
      this.#copy.answer(messageId, call ? this.#callMessage(call.place, toolCallId) : '')
      this.#sendTracked({ type: EventType.TOOL_CALL_RESULT, messageId, toolCallId, content, role: 'tool' })
      return
    }
    // Reasoning may be there already: snapshots do not remove it.
    if (message.role === 'reasoning' && this.#copy.has(message.id)) return
    this.#copy.append(message.id, message.role)
    const text = typeof message.content === 'string' ? message.content : ''
    if (text !== '' && (message.role === 'assistant' || message.role === 'reasoning')) {
      const kind = message.role === 'assistant' ? 'text' : 'reasoning'
      for (const event of [
        ...startEvents(kind, message.id),
        contentEvent(kind, message.id, text),
        ...endEvents(kind, message.id),
      ])
        this.#sendTracked(event)
    }
    for (const { id: toolCallId, function: called } of callsOf(message)) {
      const { name: toolCallName, arguments: delta } = called
      this.#sendTracked({ type: EventType.TOOL_CALL_START, toolCallId, toolCallName, parentMessageId: message.id })
      if (delta !== '') this.#sendTracked({ type: EventType.TOOL_CALL_ARGS, toolCallId, delta })
      this.#sendTracked({ type: EventType.TOOL_CALL_END, toolCallId })
    }
  }

  #answer({ step, index }: CallPlace, outcome: Outcome): void {
    const call = this.#view.callAt(step, index)
    if (call) this.#sendWhole(resultMessage(call, this.#view.nameOf(call), outcome))
  }

  /** The id of the message of a call. */
  #callMessage({ step }: CallPlace, toolCallId: string): string {
    const known = this.#callMessages.get(toolCallId)
    if (known !== undefined) return known
    const item = this.#view.state.items.findLast(item => item.kind === 'step' && item.step.seq === step)
    const messages = item?.kind === 'step' ? this.#view.step(item.step) : []
    for (const message of messages) for (const { id } of callsOf(message)) this.#callMessages.set(id, message.id)
    return this.#callMessages.get(toolCallId) ?? ''
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

  /** Sends an event and keeps track of open calls. */
  #sendTracked(event: Event): void {
    if (event.type === EventType.TOOL_CALL_START) this.#begun.add(event.toolCallId)
    if (event.type === EventType.TOOL_CALL_RESULT) this.#begun.delete(event.toolCallId)
    this.#send(event)
  }
}

const callsOf = (message: Message): readonly ToolCall[] =>
  message.role === 'assistant' ? (message.toolCalls ?? []) : []
