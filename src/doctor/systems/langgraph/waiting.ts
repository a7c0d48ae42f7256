import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../core/conversation.ts'
import type { Waiting } from '../../judge.ts'
import type { CheckpointThread } from './checkpoint.ts'

/** Whether the calls at the end may stay open, and what they wait for. */
export interface ThreadWaiting extends Waiting {
  readonly note?: string
}

/** The tasks of a thread that are not done. */
export interface Tasks {
  readonly isInterrupted: boolean
  /** A step is not done. */
  readonly hasAny: boolean
  /** A step for tools is not done. */
  readonly hasTools: boolean
}

export function tasksOf(
  database: DatabaseSync,
  thread: CheckpointThread,
  values: Readonly<Record<string, unknown>>,
): Tasks {
  const { __pregel_tasks: tasks } = values
  const isScheduled = Array.isArray(tasks) && tasks.length > 0
  const branches = Object.keys(values).filter(name => name.startsWith('branch:'))
  return tasksIn([...branches, ...(isScheduled ? [scheduled] : [])], isInterrupted(database, thread))
}

/** The tasks of the channels of steps that are not done. */
export const tasksIn = (channels: readonly string[], isInterrupted: boolean): Tasks => ({
  isInterrupted,
  hasAny: channels.length > 0,
  hasTools: channels.some(name => name === scheduled || /tool/i.test(name)),
})

const scheduled = '__pregel_tasks'

export const isInterrupted = (
  database: DatabaseSync,
  { thread_id, checkpoint_ns, checkpoint_id }: CheckpointThread,
): boolean => database.prepare(interrupts).get(thread_id, checkpoint_ns, checkpoint_id) !== undefined

const interrupts = `SELECT 1 FROM writes
  WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ? AND channel = '__interrupt__'`

/**
 * The calls at the end of a list may stay open if a tool interrupted and waits to be resumed, or if the step that
 * answers them is not done, and will be done when the graph is resumed. If some calls already have results, the next
 * node may as well be the model: then only a step for tools counts.
 */
export function waitingIn({ isInterrupted, hasAny, hasTools }: Tasks, messages: readonly unknown[]): ThreadWaiting {
  if (isInterrupted)
    return { tail: true, note: 'it waits for the answer to an interrupt; other input would leave its calls open' }
  if (isAnswered(messages.at(-1)) ? hasTools : hasAny)
    return { tail: true, note: 'its last step is not done: it continues when the graph is invoked without input' }
  return { tail: false }
}

const isAnswered = (message: unknown): boolean =>
  isRecord(message) && Array.isArray(message.id) && message.id.at(-1) === 'ToolMessage'
