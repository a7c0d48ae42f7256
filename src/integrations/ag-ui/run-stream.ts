import type { Event, RunAgentInput } from '@ag-ui/core'
import { warn, warnOfLoss } from '../../heal/warn.ts'
import type { CallSettle, Entry } from '../../journal/entry.ts'
import { callId } from '../../journal/fold.ts'
import type { Journal } from '../../journal/journal.ts'
import { isNewTo } from '../../journal/live/live-reader.ts'
import type { Thread } from '../../journal/thread.ts'
import { notify } from '../fetch/notify.ts'
import { AppRun } from './app-run.ts'
import { type ClientProtocol, protocolVersion } from './client-protocol.ts'
import { agentInterruptsOf, errorEvent, finalEvent, interruptsOf, isClientError } from './ending.ts'
import { EventType } from './event-type.ts'
import { EventWriter } from './event-writer.ts'
import type { AgUiOptions } from './handler-options.ts'
import { readClientState } from './read-client-state.ts'
import { runLoop } from './run-loop.ts'
import { RunTarget } from './run-target.ts'
import { ThreadView } from './thread-view.ts'

export interface RunStream {
  readonly journal: Journal
  /** The name of the thread in the journal. */
  readonly name: string
  readonly input: RunAgentInput
  readonly protocol: ClientProtocol
  readonly options: AgUiOptions
  /** Aborted when the client has disconnected and its turn must stop. */
  readonly gone: AbortSignal
  readonly send: (event: Event) => void
}

/** One run, from RUN_STARTED to its last event. Never throws: an error becomes the last event. */
export async function runStream(stream: RunStream): Promise<void> {
  const { input, options, send } = stream
  const { threadId, runId, parentRunId } = input
  const spawned = parentRunId === undefined ? {} : { parentRunId }
  send({ type: EventType.RUN_STARTED, threadId, runId, protocolVersion, ...spawned })
  try {
    send(await perform(stream))
  } catch (error) {
    // Errors of the client are sent to the client, and are not logged by default.
    if (options.onError || !isClientError(error)) notify(options.onError ?? warn, error)
    send(errorEvent(error, textFor(options)))
  }
}

async function perform({ journal, name, input, protocol, options, gone, send }: RunStream): Promise<Event> {
  const showsReasoning = options.reasoning !== false
  const thread = journal.thread(name, options.thread ?? {})
  const entries = await listenTo(thread)
  try {
    const view = await ThreadView.read(journal, name, { showsReasoning, protocol })
    const writer = new EventWriter(view, input.messages, send, showsReasoning)
    const app = new AppRun(input, send)
    const settled: (Entry & CallSettle)[] = []
    entries.sendTo(entry => {
      if (entry.seq <= view.state.head) return
      view.take(entry)
      if (entry.kind === 'call-settle') settled.push(entry)
    })
    const { turn, turns, head } = view.state
    const { inputs, brought, repairs } = await readClientState(journal, thread, view, input, options)
    await thread.status()
    const joined = turn && inputs.length === 0 ? turn.turn : undefined
    const target = new RunTarget(view, input, inputs, { turn: joined, since: head })
    if (repairs.length > 0) notify(options.onRepair ?? warnOfLoss, { thread: name, run: input.runId, repairs })
    writer.begin(settled.filter(({ call }) => !brought.has(callId(view.state.uid, call))))
    entries.stop()
    const stop = followThread(thread, view, writer)
    try {
      await runLoop({ thread, app, options, target, owned: writer.owned, gone })
      await thread.status()
    } finally {
      stop()
      writer.finish()
    }
    const { isCurrent } = target
    const interrupts = isCurrent ? [...interruptsOf(view), ...(await agentInterruptsOf(thread, view))] : []
    if (interrupts.length > 0) app.leaveState()
    return finalEvent({ input, writer, ended: target.ending(turns), isCurrent, interrupts }, textFor(options))
  } finally {
    entries.stop()
  }
}

/** An `errorText` that fails itself must not keep the run from ending. */
const textFor =
  ({ errorText = () => failedText, onError = warn }: AgUiOptions): ((error: unknown) => string) =>
  error => {
    try {
      return errorText(error)
    } catch (failure) {
      notify(onError, failure)
      return failedText
    }
  }

const failedText = 'The run failed.'

/** Sends what the view does not have yet: new entries, and what streams between them, in whichever process. */
function followThread(thread: Thread, view: ThreadView, writer: EventWriter): () => void {
  const read = { head: view.state.head, closedAt: view.closedAt }
  return thread.follow(item => {
    if (!isNewTo(read, item)) return
    if (item.kind === 'delta') writer.delta(item.delta)
    else if (item.kind === 'response-retract') writer.retract()
    else writer.take(item)
  })
}

/** Keeps new entries until there is a receiver, and sends them to it from then on. */
async function listenTo(thread: Thread): Promise<{ sendTo(receiver: (entry: Entry) => void): void; stop(): void }> {
  // Listeners get only new entries, so the process must know the earlier ones first.
  await thread.status()
  const early: Entry[] = []
  let receive = (entry: Entry): void => void early.push(entry)
  const stop = thread.listen(entries => {
    for (const entry of entries) receive(entry)
  })
  return {
    stop,
    sendTo(receiver) {
      receive = receiver
      for (const entry of early.splice(0)) receive(entry)
    },
  }
}
