import type { DatabaseSync } from 'node:sqlite'
import type { ResultPart } from '../../../core/conversation.ts'
import { lenientFacts } from '../../../core/dialect.ts'
import type { Edit } from '../../../core/edit.ts'
import { elementSpans } from '../../../core/json/json-spans.ts'
import type { Repair } from '../../../core/rules/repair.ts'
import { emptyDrawing } from '../../drawing.ts'
import { examineList } from '../../examine-list.ts'
import { fileError } from '../../files/file-error.ts'
import { printLike } from '../../files/print-like.ts'
import { withTemplateQuotes } from '../../quote.ts'
import type { RecordFields } from '../../record-format.ts'
import type { Database } from '../../sqlite.ts'
import type { DroppedRecord, Examination } from '../../system.ts'
import { blobOf, type Checkpoint, type CheckpointThread, channelIn } from './checkpoint.ts'
import { resultId, writtenIn } from './discarded-results.ts'
import { adopted, completed, kwargsOf } from './made-message.ts'
import { type StaleWrite, staleWrites } from './stale-writes.ts'
import type { ThreadReads } from './thread-reads.ts'
import { waitingIn } from './waiting.ts'

/** Judges the state of a thread. Only the newest checkpoint counts, and only it is repaired. */
export function examineThread(
  database: Database,
  state: ThreadReads,
  place: string,
  channel: string | undefined,
): Examination {
  const { thread } = state
  const checkpoint = channelIn(state.checkpoint(), place, channel)
  if (!checkpoint) return nothingSaid
  const waiting = waitingIn(state.tasks(), checkpoint.messages)
  const { messages, ...examined } = examineList(checkpoint.messages, listOptions, waiting)
  if (examined.repairs.length === 0)
    return { ...examined, notes: examined.state === 'pending' && waiting.note ? [waiting.note] : [] }
  const found = new Map<string, RecordFields>()
  const healed = finish(checkpoint, messages, state, found)
  const stale = waiting.tail ? [] : staleWrites(state.ownWrites(), checkpoint.channel, healed)
  return {
    ...examined,
    repairs: examined.repairs.map(repair => withTemplateQuotes(withFound(repair, found))),
    dropped: [
      ...asWritten(examined.dropped, checkpoint),
      ...stale.filter(write => !isAdopted(write, found)).map(asDropped),
    ],
    notes: [],
    storeRepair: {
      files: database.files,
      isShared: true,
      apply: async assertUnused =>
        database.change(change => writeCheckpoint(change, thread, checkpoint, healed, stale, place), assertUnused),
    },
  }
}

/** The messages may be sent to any model, and some accept system messages only at the beginning. */
export const listOptions = {
  format: 'langchain',
  for: 'openai',
  facts: { ...lenientFacts, system: 'first' },
  keepsText: true,
  marksSteps: true,
} as const

export const nothingSaid: Examination = {
  state: 'healthy',
  counts: { calls: 0, results: 0, orphans: 0, unanswered: 0 },
  repairs: [],
  remaining: [],
  dropped: [],
  notes: [],
  draw: () => emptyDrawing,
}

/** The repaired messages: new ones get the form of the classes, or are results that were found. */
function finish(
  { messages, channel }: Checkpoint,
  healed: readonly unknown[],
  { thread, discarded }: ThreadReads,
  found: Map<string, RecordFields>,
): unknown[] {
  const before = new Set(messages)
  let calling: unknown
  return healed.map((message, index) => {
    const callId = kwargsOf(message)?.tool_call_id
    if (callId === undefined) calling = message
    if (before.has(message) || typeof callId !== 'string') return message
    const result = discarded().find(channel, calling, callId)
    if (!result) return completed(message, thread, index)
    found.set(callId, result)
    return adopted(result, thread, index)
  })
}

/** What was dropped, as it was in the checkpoint. */
function asWritten(dropped: readonly DroppedRecord[], { text, list }: Checkpoint): DroppedRecord[] {
  const spans = dropped.length > 0 ? elementSpans(text, list.start) : []
  return dropped.map(one => {
    const span = spans[Number(/\[(\d+)\]/.exec(one.at)?.[1] ?? -1)]
    return span ? { ...one, content: text.slice(span.start, span.end) } : one
  })
}

/** Its results are in the history now. */
const isAdopted = ({ text }: StaleWrite, found: ReadonlyMap<unknown, RecordFields>): boolean =>
  writtenIn(text).every(message => found.has(resultId(message)))

const asDropped = ({ task_id, rule, text }: StaleWrite): DroppedRecord => ({
  at: `writes of task ${task_id}`,
  rule,
  content: text,
})

/** The report of an answer names the result that was used. */
export function withFound(repair: Repair, found: ReadonlyMap<string, RecordFields>): Repair {
  const result = repair.rule === 'unanswered-call' ? found.get(repair.callId ?? '') : undefined
  if (!result) return repair
  const help = 'answer it with the result that its step had given before it was discarded'
  return { ...repair, class: 'lossless', help, edits: repair.edits.map(edit => withContent(edit, result)) }
}

function withContent(edit: Edit, message: RecordFields): Edit {
  if (edit.kind !== 'insert') return edit
  const { content, status } = kwargsOf(message) ?? {}
  const { error: _, ...made } = edit.message.parts[0] as ResultPart
  const part: ResultPart = { ...made, content, ...(status === 'error' ? { error: true } : {}) }
  return { ...edit, message: { ...edit.message, parts: [part] } }
}

export function writeCheckpoint(
  database: DatabaseSync,
  thread: CheckpointThread,
  { blob, text, list: { start, end }, messages }: Checkpoint,
  healed: readonly unknown[],
  stale: readonly StaleWrite[],
  place: string,
): void {
  const { thread_id, checkpoint_ns, checkpoint_id } = thread
  if (!isSame(blobOf(database, thread, place), blob))
    throw fileError(place, 'it changed during the repair, so nothing was written', 'close its program and try again')
  const list = printLike({ text: text.slice(start, end), value: messages }, healed)
  const changed = text.slice(0, start) + list + text.slice(end)
  const value = typeof blob === 'string' ? changed : Buffer.from(changed)
  database.prepare(update).run(value, thread_id, checkpoint_ns, checkpoint_id)
  for (const { task_id, idx } of stale)
    database.prepare(remove).run(thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
}

export const isSame = (one: unknown, other: unknown): boolean =>
  one instanceof Uint8Array && other instanceof Uint8Array ? Buffer.compare(one, other) === 0 : one === other

export const update = `UPDATE checkpoints SET checkpoint = ?
  WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?`

const remove = `DELETE FROM writes
  WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ? AND task_id = ? AND idx = ?`
