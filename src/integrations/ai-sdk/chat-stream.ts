import type { Entry, ErrorData } from '../../journal/entry.ts'
import type { Thread } from '../../journal/index.ts'
import type { Store } from '../../journal/stores/store.ts'
import { AnswerStream } from './answer-stream.ts'
import type { Chunk } from './chunk.ts'
import type { Happened, LiveRun } from './live-run.ts'
import { Mailbox } from './mailbox.ts'
import { readLatestTurn, readThread } from './read-thread.ts'

export interface ChatStreamOptions {
  readonly store: Store
  readonly thread: Thread
  /** The run of this process that the answer may come from. */
  readonly live: LiveRun
  readonly errorText: (error: ErrorData) => string
  /** Aborted when nobody listens any more. */
  readonly signal: AbortSignal
  /** Hears what tells the answer, before it tells anything. */
  readonly onAnswer?: (answerStream: AnswerStream) => void
  /** The position of the input whose answer is told; by default the answer that is being given, or comes next. */
  readonly input?: number
  /** What stands up to here is known. */
  readonly after?: number
}

/**
 * The chunks of one answer, to its end or until somebody outside has to decide. What is recorded is read from the journal;
 * what streams in this process comes at once, and what another process does as soon as it is recorded.
 */
export async function* chatStream(options: ChatStreamOptions): AsyncGenerator<Chunk> {
  const { store, thread, live, signal, errorText, after = 0 } = options
  const heard = new Mailbox<Happened>(signal)
  const forget = live.listen(happened => heard.push(happened))
  try {
    const stored =
      options.input === undefined
        ? await readLatestTurn(store, thread.name)
        : await readThread(store, thread.name, options.input)
    if (!stored) return
    const { uid, entries } = stored
    const { input = inputBeingAnswered(entries) } = options
    const answerStream = new AnswerStream({ uid, input, after, errorText })
    options.onAnswer?.(answerStream)
    if (input !== 'next') for (const entry of entries) yield* answerStream.entry(entry)
    let head = entries.at(-1)?.seq ?? options.input ?? 0
    dropKnown(heard, head)
    while (!answerStream.isOver) {
      const happened = await heard.next()
      if (!happened || happened.kind === 'over') break
      if (happened.kind === 'delta') yield* answerStream.delta(happened.delta)
      else if (happened.kind === 'retract') yield* answerStream.retract()
      else if (happened.entry.seq > head) {
        head = happened.entry.seq
        yield* answerStream.entry(happened.entry)
      }
    }
  } finally {
    forget()
  }
}

/** The input that is being answered; if there is none, it is the one that comes next. */
function inputBeingAnswered(entries: readonly Entry[]): number | 'next' {
  const last = entries.findLast(({ kind }) => kind === 'input-admit' || kind === 'turn-end')
  return last?.kind === 'input-admit' ? (last.inputs.at(-1) ?? 'next') : 'next'
}

/** What is stored up to a position is told already, and so is what streamed before a response that is stored. */
function dropKnown(heard: Mailbox<Happened>, head: number): void {
  let streamed = -1
  heard.keep((happened, index) => {
    if (isRecorded(happened, head)) streamed = index
    return true
  })
  heard.keep((happened, index) => (happened.kind === 'entry' ? happened.entry.seq > head : index > streamed))
}

const isRecorded = (happened: Happened, head: number): boolean =>
  happened.kind === 'entry' && happened.entry.kind === 'response-record' && happened.entry.seq <= head
