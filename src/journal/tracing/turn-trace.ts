import type { DialectId } from '../../core/dialects/index.ts'
import { AntiphonError } from '../../core/errors.ts'
import type { SpanContext } from '../../observe/telemetry/api.ts'
import type { LiveSpan } from '../../observe/telemetry/live-span.ts'
import { forgetSpan, pastSpan, rememberSpan } from '../../observe/telemetry/past-spans.ts'
import { providerName } from '../../observe/telemetry/provider-name.ts'
import type { Telemetry } from '../../observe/telemetry/telemetry.ts'
import { addUsage, type Usage, usageAttributes, usageOf } from '../../observe/telemetry/usage.ts'
import type { CallHandle } from '../call.ts'
import type { Entry, Outcome, TurnStatus } from '../entry.ts'
import type { ThreadState } from '../fold.ts'
import type { Log } from '../log.ts'
import type { Received } from '../receive.ts'
import { isRunnable } from '../recover.ts'
import type { Reader } from '../render/render.ts'
import { type ChatTrace, silentChat, traceChat } from './chat-trace.ts'
import { traceEntry, traceInterrupt, traceResume } from './entry-trace.ts'
import { type Performing, traceTool } from './tool-trace.ts'

/** What a turn tells OpenTelemetry: a span of its own, and in it one for each model call and each tool. Nothing in it fails. */
export interface TurnTrace {
  /** Runs something below the span of the turn. */
  within<T>(work: () => T): T
  /** The model is asked now; by default it is the one that reads the thread. */
  chat(dialect?: DialectId): ChatTrace
  /** Takes in what the model answers, below the span of the model call if there is one. */
  receive(receiving: () => Promise<Received>): Promise<Received>
  /** Performs a call, below a span of its own. */
  tool<Context extends Performing>(
    call: CallHandle,
    execute: (context: Context) => unknown,
    perform: (execute: (context: Context) => unknown) => Promise<Outcome>,
  ): Promise<Outcome>
  /** What has streamed since the last response is void. */
  retract(): void
  /** The turn is nobody's business here any more, for this reason if it is not over. */
  leave(reason: unknown): void
}

/** How a turn was taken: what was written then, and whether it was parked before. */
export interface Taken {
  readonly entries: readonly Entry[]
  readonly epoch: number
  readonly wasParked: boolean
}

export const silentTrace: TurnTrace = {
  within: work => work(),
  chat: () => silentChat,
  receive: receiving => receiving(),
  tool: (_call, execute, perform) => perform(execute),
  retract: () => {},
  leave: () => {},
}

/** Follows a turn, from the moment on that it was taken, by what is written. Its span ends with it, or when it is left. */
export function traceTurn(telemetry: Telemetry, log: Log, reader: Reader, taken: Taken): TurnTrace {
  const { state } = log
  const [begin] = taken.entries
  const number = 'turn' in begin ? begin.turn : state.turns
  const key = `${state.uid}-${number}`
  const span = startTurn(telemetry, log.name, reader, number, taken.epoch, pastSpan(key))
  if (!span.isReal) return silentTrace
  if (span.isRecording) rememberSpan(key, span.context)
  let usage: Usage = {}
  let steps = 0
  let chat = silentChat
  let isOver = false

  const end = (status: TurnStatus | 'parked' | 'handed-over' | 'fenced' | 'left', error?: unknown): void => {
    if (isOver) return
    isOver = true
    forget()
    if (isEnded(state, number)) forgetSpan(key)
    span.set({ 'antiphon.turn.status': status, 'antiphon.turn.steps': steps, ...usageAttributes(usage) })
    if (status === 'failed' || status === 'fenced' || status === 'left') span.fail(error)
    span.end()
  }
  const hear = (entry: Entry): void => {
    if (isOver) return
    traceEntry(span, entry, state)
    if (entry.kind === 'response-record' && span.isRecording) {
      steps++
      usage = addUsage(usage, usageOf(entry.usage))
    }
    if (entry.kind === 'turn-end' && entry.turn === number) end(entry.status, entry.error)
    // If there is something to do, it was given to whoever comes next.
    if (entry.kind === 'turn-park' && entry.turn === number) end(isWaiting(state) ? 'parked' : 'handed-over')
  }
  const forget = log.listen(entries => entries.forEach(hear))

  if (begin.kind === 'turn-resume') traceResume(span, taken.entries, state, taken.wasParked)
  taken.entries.forEach(hear)
  // Somebody was quick: that was written before anybody listened here.
  if (!isOver && state.turn?.interrupted) traceInterrupt(span, state.turn.interrupted.reason)

  return {
    within: span.within,
    chat: (dialect = reader.dialect) => {
      chat = telemetry.chatSpans ? traceChat(telemetry, span, { ...reader, dialect }, log.name) : silentChat
      return chat
    },
    receive: receiving => receiveIn(chat, receiving),
    tool: (call, execute, perform) => traceTool(telemetry, span, call, execute, perform),
    retract: () => span.event('antiphon.retract'),
    leave: reason => {
      if (state.ended?.turn === number) end(state.ended.status, state.ended.error)
      else end(AntiphonError.is(reason) && reason.code === 'fenced' ? 'fenced' : 'left', reason)
    },
  }
}

function startTurn(
  telemetry: Telemetry,
  thread: string,
  { dialect, model }: Reader,
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

async function receiveIn(chat: ChatTrace, receiving: () => Promise<Received>): Promise<Received> {
  const received = await chat.within(receiving)
  chat.received(received)
  return received
}

const isEnded = ({ ended }: ThreadState, turn: number): boolean => (ended?.turn ?? 0) >= turn

const isWaiting = ({ open }: ThreadState): boolean => open.size > 0 && ![...open.values()].some(isRunnable)
