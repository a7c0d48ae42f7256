import type { DatabaseSync } from 'node:sqlite'
import { isRecord } from '../../../core/conversation.ts'
import type { Waiting } from '../../judge.ts'
import type { Checkpoint, Thread } from './checkpoint.ts'

/** Whether the calls at the end may stay open, and what they wait for. */
export interface ThreadWaiting extends Waiting {
  readonly note?: string
}

/**
 * They may if a tool asked for something and waits to be resumed, or if the step that answers them is still to be done,
 * and is done when the graph is resumed.
 */
export function waitingIn(database: DatabaseSync, thread: Thread, { values, messages }: Checkpoint): ThreadWaiting {
  const { thread_id, checkpoint_ns, checkpoint_id } = thread
  if (database.prepare(interrupts).get(thread_id, checkpoint_ns, checkpoint_id) !== undefined)
    return { tail: true, note: 'it waits for the answer to an interrupt; other input would leave its calls open' }
  if (hasTask(values, isAnswered(messages.at(-1))))
    return { tail: true, note: 'its last step is still to be done: it goes on when the graph is invoked without input' }
  return { tail: false }
}

const interrupts = `SELECT 1 FROM writes
  WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ? AND channel = '__interrupt__'`

/** Where some calls have results already, the next node may as well be the model: then only one for tools counts. */
function hasTask(values: Readonly<Record<string, unknown>>, isBegun: boolean): boolean {
  const { __pregel_tasks: tasks } = values
  if (Array.isArray(tasks) && tasks.length > 0) return true
  return Object.keys(values).some(name => name.startsWith('branch:') && (!isBegun || /tool/i.test(name)))
}

const isAnswered = (message: unknown): boolean =>
  isRecord(message) && Array.isArray(message.id) && message.id.at(-1) === 'ToolMessage'
