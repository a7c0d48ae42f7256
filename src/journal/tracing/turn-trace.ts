import type { DialectId } from '../../core/dialects/index.ts'
import type { SpanContext } from '../../observe/telemetry/api.ts'
import type { LiveSpan } from '../../observe/telemetry/live-span.ts'
import { forgetSpan, pastSpan, rememberSpan } from '../../observe/telemetry/past-spans.ts'
import { providerName } from '../../observe/telemetry/provider-name.ts'
import type { Telemetry } from '../../observe/telemetry/telemetry.ts'
import { addUsage, readUsage, type Usage, usageAttributes } from '../../observe/telemetry/usage.ts'
import type { CallHandle } from '../call.ts'
import type { Entry, Outcome, TurnStatus } from '../entry.ts'
import type { ThreadState } from '../fold.ts'
import type { Log } from '../log.ts'
import type { ReceivedReply } from '../receive.ts'
import { hasRunnable } from '../recover.ts'
import type { RenderTarget } from '../render/render.ts'
import { isLost } from '../turn-errors.ts'
import { type ChatTrace, noopChatTrace, traceChat } from './chat-trace.ts'
import { traceEntry, traceInterrupt, traceResume } from './entry-trace.ts'
import { type ToolSignal, traceTool } from './tool-trace.ts'

/** The OpenTelemetry spans of a turn: one for the turn, and within it one per model call and per tool. It never throws. */
export interface TurnTrace {
  /** Runs `work` within the span of the turn. */
  within<T>(work: () => T): T
  /** Starts the span of a model call; by default for the provider of the thread. */
  chat(dialect?: DialectId): ChatTrace
  /** Receives the response within the span of the model call, if there is one. */
  receive(receiving: () => Promise<ReceivedReply>): Promise<ReceivedReply>
  /** Performs a call within its own span. */
  tool<Context extends ToolSignal>(
    call: CallHandle,
    execute: (context: Context) => unknown,
    perform: (execute: (context: Context) => unknown) => Promise<Outcome>,
  ): Promise<Outcome>
  /** The text that streamed since the last response was discarded. */
  retract(): void
  /** This process stops working on the turn; `reason` says why if the turn is not over. */
  leave(reason: unknown): void
}

/** How a turn was taken: the entries written then, and whether it was parked before. */
export interface AcquiredTurn {
  readonly entries: readonly Entry[]
  readonly epoch: number
  readonly wasParked: boolean
}

export const noopTurnTrace: TurnTrace = {
  within: work => work(),
  chat: () => noopChatTrace,
  receive: receiving => receiving(),
  tool: (_call, execute, perform) => perform(execute),
  retract: () => {},
  leave: () => {},
}

/** Traces a turn from when it was taken, by its entries. The span ends with the turn, or when this process leaves it. */
export function traceTurn(telemetry: Telemetry, log: Log, target: RenderTarget, taken: AcquiredTurn): TurnTrace {
  const { state } = log
  const [begin] = taken.entries
  const number = begin && 'turn' in begin ? begin.turn : state.turns
  const key = `${state.uid}-${number}`
  const span = startTurn(telemetry, log.name, target, number, taken.epoch, pastSpan(key))
  if (!span.isReal) return noopTurnTrace
  if (span.isRecording) rememberSpan(key, span.context)
  let usage: Usage = {}
  let steps = 0
  let chat = noopChatTrace
  let isOver = false

  const end = (status: TurnStatus | 'parked' | 'handed-over' | 'fenced' | 'left', error?: unknown): void => {
    if (isOver) return
    isOver = true
    unsubscribe()
    if (isEnded(state, number)) forgetSpan(key)
    span.set({ 'antiphon.turn.status': status, 'antiphon.turn.steps': steps, ...usageAttributes(usage) })
    if (status === 'failed' || status === 'fenced' || status === 'left') span.fail(error)
    span.end()
  }
  const trace = (entry: Entry): void => {
    if (isOver) return
    traceEntry(span, entry, state)
    if (entry.kind === 'response-record' && span.isRecording) {
      steps++
      usage = addUsage(usage, readUsage(entry.usage))
    }
    if (entry.kind === 'turn-end' && entry.turn === number) end(entry.status, entry.error)
    // If there is something to do, it was handed over to another process.
    if (entry.kind === 'turn-park' && entry.turn === number) end(isWaiting(state) ? 'parked' : 'handed-over')
  }
  const unsubscribe = log.listen(entries => entries.forEach(trace))

  if (begin?.kind === 'turn-resume') traceResume(span, taken.entries, state, taken.wasParked)
  taken.entries.forEach(trace)
  // It was interrupted before the listener was added.
  if (!isOver && state.turn?.interrupted) traceInterrupt(span, state.turn.interrupted.reason)

  return {
    within: span.within,
    chat: (dialect = target.dialect) => {
      chat = telemetry.chatSpans ? traceChat(telemetry, span, { ...target, dialect }, log.name) : noopChatTrace
      return chat
    },
    receive: receiving => receiveIn(chat, receiving),
    tool: (call, execute, perform) => traceTool(telemetry, span, call, execute, perform),
    retract: () => span.event('antiphon.retract'),
    leave: reason => {
      if (state.ended?.turn === number) end(state.ended.status, state.ended.error)
      else end(isLost(reason) ? 'fenced' : 'left', reason)
    },
  }
}

function startTurn(
  telemetry: Telemetry,
  thread: string,
  { dialect, model }: RenderTarget,
  turn: number,
  epoch: number,
  link: SpanContext | undefined,
): LiveSpan {
  const { agentName } = telemetry
  return telemetry.start(agentName === undefined ? 'invoke_agent' : `invoke_agent ${agentName}`, {
    kind: 'internal',
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': providerName(dialect),
      'gen_ai.conversation.id': thread,
      'gen_ai.agent.name': agentName,
      'gen_ai.request.model': model,
      'antiphon.turn.number': turn,
      'antiphon.turn.epoch': epoch,
    },
    link,
  })
}

async function receiveIn(chat: ChatTrace, receiving: () => Promise<ReceivedReply>): Promise<ReceivedReply> {
  const received = await chat.within(receiving)
  chat.received(received)
  return received
}

const isEnded = ({ ended }: ThreadState, turn: number): boolean => (ended?.turn ?? 0) >= turn

const isWaiting = (state: ThreadState): boolean => state.open.size > 0 && !hasRunnable(state)
