import { type Event, EventType, PROTOCOL_VERSION, type RunAgentInput } from '@ag-ui/core'
import { warn, warnOfLoss } from '../../heal/warn.ts'
import type { CallSettle, Entry } from '../../journal/entry.ts'
import { callId } from '../../journal/fold.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Thread } from '../../journal/thread.ts'
import { notify } from '../fetch/notify.ts'
import { Announcer } from './announcer.ts'
import { AppRun } from './app-run.ts'
import { drive } from './drive.ts'
import { ending, failure, interruptsOf, isClientsMistake } from './ending.ts'
import { Goal } from './goal.ts'
import type { AgUiOptions } from './handler-options.ts'
import type { LiveThreads } from './live-threads.ts'
import { takeIn } from './take-in.ts'
import { ThreadView } from './thread-view.ts'

export interface RunStream {
  readonly journal: Journal
  /** The name of the thread in the journal. */
  readonly name: string
  readonly input: RunAgentInput
  readonly options: AgUiOptions
  readonly threads: LiveThreads
  /** Aborted when the client has gone, and its turn is to stop. */
  readonly gone: AbortSignal
  readonly send: (event: Event) => void
}

/** One run, from RUN_STARTED to its last event. It does not throw: an error is what the run ends with. */
export async function runStream(stream: RunStream): Promise<void> {
  const { input, options, send } = stream
  const { threadId, runId, parentRunId } = input
  const spawned = parentRunId === undefined ? {} : { parentRunId }
  send({ type: EventType.RUN_STARTED, threadId, runId, protocolVersion: PROTOCOL_VERSION, ...spawned })
  try {
    send(await perform(stream))
  } catch (error) {
    // A mistake of the client is told to the client, and nobody else needs to read it in a log.
    if (options.onError || !isClientsMistake(error)) notify(options.onError ?? warn, error)
    send(failure(error, textFor(options)))
  }
}

async function perform({ journal, name, input, options, threads, gone, send }: RunStream): Promise<Event> {
  const showsReasoning = options.reasoning !== false
  const thread = journal.thread(name, options.thread ?? {})
  const news = await listenTo(thread)
  try {
    const view = await ThreadView.read(journal, name, showsReasoning)
    const announcer = new Announcer(view, input.messages, send, showsReasoning)
    const app = new AppRun(input, send)
    const settled: (Entry & CallSettle)[] = []
    news.notify({
      state: view.state,
      take(entry) {
        view.take(entry)
        if (entry.kind === 'call-settle') settled.push(entry)
      },
    })
    const { turn, turns } = view.state
    const { inputs, brought, repairs } = await takeIn(journal, thread, view, input, options)
    await thread.status()
    const goal = new Goal(view, input, inputs, turn && inputs.length === 0 ? turn.turn : undefined)
    if (repairs.length > 0) notify(options.onRepair ?? warnOfLoss, { thread: name, run: input.runId, repairs })
    announcer.greet(settled.filter(({ call }) => !brought.has(callId(view.state.uid, call))))
    const { live, leave } = threads.join(name, announcer)
    news.notify({
      state: view.state,
      take(entry) {
        if (entry.kind === 'response-record' || entry.kind === 'turn-end') live.clear()
        announcer.take(entry)
      },
    })
    try {
      await drive({ thread, live, app, options, goal, owned: announcer.owned, gone })
      await thread.status()
    } finally {
      leave()
      announcer.finish()
    }
    if (goal.isCurrent && interruptsOf(view).length > 0) app.leaveState()
    return ending({ input, view, announcer, ended: goal.ending(turns), isCurrent: goal.isCurrent }, textFor(options))
  } finally {
    news.forget()
  }
}

const textFor = ({ errorText = () => 'The run failed.' }: AgUiOptions): ((error: unknown) => string) => errorText

type Reader = Pick<ThreadView, 'take'> & { readonly state: { readonly head: number } }

/** Hears of whatever is written from now on, and tells it to whoever reads at the time, each entry once and in order. */
async function listenTo(thread: Thread): Promise<{ notify(reader: Reader): void; forget(): void }> {
  // The journal tells what is new to this process: what was there before has to be known by then.
  await thread.status()
  const early: Entry[] = []
  let reader: Reader | undefined
  const take = (entry: Entry): void => {
    if (!reader) early.push(entry)
    else if (entry.seq > reader.state.head) reader.take(entry)
  }
  const forget = thread.listen(entries => {
    for (const entry of entries) take(entry)
  })
  return {
    forget,
    notify(next) {
      reader = next
      for (const entry of early.splice(0)) take(entry)
    },
  }
}
