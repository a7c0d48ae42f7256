import type { CallPlace, Entry, ErrorData } from '../../journal/entry.ts'
import type { LiveItem, Thread } from '../../journal/index.ts'
import { closesResponse, isNewTo } from '../../journal/live/live-reader.ts'
import type { Store } from '../../journal/stores/store.ts'
import { AgentLooks } from './agents/agent-looks.ts'
import { type AgentNews, agentNews } from './agents/chat-agents.ts'
import type { ShownQuestion } from './agents/question-chunks.ts'
import { AnswerStream } from './answer-stream.ts'
import type { Chunk } from './chunk.ts'
import type { LiveRun, RunNews } from './live-run.ts'
import { Mailbox } from './mailbox.ts'
import { isWaiting, readLatestTurn, readThread } from './read-thread.ts'

/** Which answer is streamed. */
export interface AnswerTarget {
  /** The position of the answered input; by default the answer in progress, or the next one. */
  readonly input?: number
  /** The input is admitted after this position; by default after it was submitted. It may have been answered before, on another branch. */
  readonly since?: number
  /** The client has everything up to this position. */
  readonly after?: number
  /** The questions that the client has. */
  readonly shown?: readonly ShownQuestion[]
}

export interface ChatStreamOptions extends AnswerTarget {
  readonly store: Store
  readonly thread: Thread
  /** The run of this process, which may be the one that answers. */
  readonly live: LiveRun
  /** Begins the next run of this process, when that one is over. */
  readonly goOn: () => LiveRun
  readonly errorText: (error: ErrorData) => string
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal
  /** Called with the stream of the answer, before its first chunk. */
  readonly onAnswer?: (answerStream: AnswerStream) => void
}

/**
 * The chunks of one answer, to its end or until a person or a client has to decide. Recorded entries are read from the
 * journal. What streams in this process is sent at once, and with a transport (`openJournal(..., { live })`) what streams in another; without one,
 * what another process does is sent as soon as it is recorded.
 */
export async function* chatStream(options: ChatStreamOptions): AsyncGenerator<Chunk> {
  const { store, thread, live, goOn, signal, errorText, after = 0, shown = [] } = options
  const events = new Mailbox<LiveItem | RunNews>(signal)
  const looks = new AgentLooks(() => events.push({ kind: 'agent' }))
  const news = (answerStream: AnswerStream): Promise<AgentNews> =>
    looks.measure(() => agentNews(thread, answerStream.openQuestions))
  const unfollow = thread.follow(item => events.push(item))
  const join = (run: LiveRun): (() => void) =>
    run.listen(event => (event.kind === 'agent' ? looks.request() : events.push(event)))
  let leave = join(live)
  try {
    const stored =
      options.input === undefined
        ? await readLatestTurn(store, thread.name)
        : await readThread(store, thread.name, options.since ?? options.input)
    if (!stored) return
    const { uid, entries } = stored
    const { input = inputBeingAnswered(entries) } = options
    const answerStream = new AnswerStream({ uid, input, after, shown, errorText })
    options.onAnswer?.(answerStream)
    if (input !== 'next')
      for (const entry of withoutPastQuestions(entries, await isWaiting(store, thread.name)))
        yield* answerStream.entry(entry)
    const head = entries.at(-1)?.seq ?? options.since ?? options.input ?? 0
    const read = { head, closedAt: entries.findLast(closesResponse)?.seq ?? 0 }
    while (!answerStream.isOver) {
      const event = await events.next()
      if (!event) break
      if (event.kind === 'over') {
        const { state } = await thread.status()
        // What other processes have written since the run ended comes first.
        if (!events.isEmpty) events.push(event)
        // Another process has continued the turn or its agents since then.
        else if (state === 'running' || (state === 'parked' && (await thread.agents.areWorking()))) {
          leave()
          leave = join(goOn())
        } else {
          // The entry that parked the turn may have been read long ago: its agents have continued since then, and wait again.
          if (state === 'parked') yield* answerStream.park(await news(answerStream))
          break
        }
        continue
      }
      if (event.kind === 'agent') yield* answerStream.agentNews(await news(answerStream))
      else if (!isNewTo(read, event)) continue
      else if (event.kind === 'delta') yield* answerStream.delta(event.delta)
      else if (event.kind === 'response-retract') yield* answerStream.retract()
      else {
        // The results of the questions of an agent come before its own.
        if (event.kind === 'call-settle' && answerStream.hasQuestionsOf(event.call))
          yield* answerStream.agentNews(await news(answerStream))
        yield* answerStream.entry(event)
      }
    }
  } finally {
    unfollow()
    leave()
    looks.stop()
  }
}

/** The input that is being answered; if there is none, the next one. */
function inputBeingAnswered(entries: readonly Entry[]): number | 'next' {
  const last = entries.findLast(({ kind }) => kind === 'input-admit' || kind === 'turn-end')
  return last?.kind === 'input-admit' ? (last.inputs.at(-1) ?? 'next') : 'next'
}

/**
 * The entries without questions that were answered since: a client stops at every question (a parked turn or call). Only the last parked turn
 * can still wait, and an approved call without a result is running.
 */
function withoutPastQuestions(entries: readonly Entry[], isWaiting: boolean): Entry[] {
  const last = entries.findLast(({ kind }) => kind === 'turn-park' || kind === 'turn-resume')
  const running = new Set<string>()
  for (const entry of entries) {
    if (entry.kind === 'call-decide' && entry.approved) running.add(placeOf(entry))
    if (entry.kind === 'call-settle') running.delete(placeOf(entry))
  }
  return entries.filter(entry => {
    if (entry.kind === 'turn-park') return entry === last && isWaiting
    return entry.kind !== 'call-park' || !running.has(placeOf(entry))
  })
}

const placeOf = ({ call: { step, index } }: { readonly call: CallPlace }): string => `${step} ${index}`
