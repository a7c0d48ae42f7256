import { aborted, untilAborted } from '../clock.ts'
import { errorData } from '../outcome.ts'
import type { RunEvent } from '../run-event.ts'
import type { Thread } from '../thread.ts'
import type { Turn } from '../turn.ts'

/** The argument of a function that summarizes. */
export interface SummaryRequest {
  /** The messages that the summary replaces. */
  readonly messages: never[]
  readonly signal: AbortSignal
  readonly thread: string
  readonly turn: number
}

export interface RunCompaction {
  /**
   * Summarize when the messages have more tokens than this, estimated as a quarter of the characters of their JSON. Whether it is set or
   * not, they are also summarized when the provider rejects them as too long; then the model is called once more.
   */
  readonly atTokens?: number
  /** Returns a text, or a model's message. If it fails, or the summary is refused, the history stays as it is and the turn goes on. */
  readonly summarize: (request: SummaryRequest) => unknown
  /** How many of the last turns stay as they are, the running one included; 2 by default. */
  readonly keepTurns?: number
}

/** Summarizes the history if it is too long. */
export async function compactIfLong(
  thread: Thread,
  turn: Turn,
  compaction: RunCompaction,
  signal: AbortSignal,
  emit: (event: RunEvent) => void,
): Promise<void> {
  const { atTokens = Infinity } = compaction
  if (atTokens < Infinity && JSON.stringify(turn.messages).length / 4 > atTokens)
    await compactNow(thread, turn, compaction, signal, emit)
}

/** Summarizes the history, unless that has failed in this turn. Returns whether it is shorter now. */
export async function compactNow(
  thread: Thread,
  turn: Turn,
  { summarize, keepTurns = 2 }: RunCompaction,
  signal: AbortSignal,
  emit: (event: RunEvent) => void,
): Promise<boolean> {
  if (uncompacted.has(turn)) return false
  const summary = (messages: never[]): unknown =>
    summarize({ messages, signal, thread: thread.name, turn: turn.number })
  try {
    const written = await untilAborted(signal, thread.compact({ summary, keepTurns }))
    return written !== undefined && written !== aborted
  } catch (error) {
    uncompacted.add(turn)
    emit({ kind: 'compaction-failed', turn: turn.number, error: errorData(error) })
    return false
  }
}

/** Turns in which summarizing has failed. It is tried again in the next turn. */
const uncompacted = new WeakSet<Turn>()
