import { isRecord } from '../../../../core/conversation.ts'
import { examineList } from '../../../examine-list.ts'
import { fileError } from '../../../files/file-error.ts'
import { withTemplateQuotes } from '../../../quote.ts'
import type { RecordFields } from '../../../record-format.ts'
import type { Examination } from '../../../system.ts'
import type { CheckpointThread } from '../checkpoint.ts'
import type { ResultsByCall } from '../discarded-results.ts'
import { listOptions, nothingSaid, withFound } from '../examine-thread.ts'
import { adopted, completed, kwargsOf } from '../made-message.ts'
import { tasksIn, waitingIn } from '../waiting.ts'
import { messageChannels, pythonMessages, withMessages } from './python-checkpoint.ts'
import { discardedResults, type PythonSource } from './python-source.ts'

/** Judges a thread of LangGraph for Python. Only the newest checkpoint counts, and only its messages are repaired. */
export async function examinePythonThread(
  source: PythonSource,
  place: string,
  named: string | undefined,
): Promise<Examination> {
  const { checkpoint, thread } = source
  if (named === undefined && checkpoint.isDelta)
    throw fileError(place, 'its messages are kept as differences (DeltaChannel), which are not read')
  const channel = named ?? messageChannels(checkpoint)[0]
  if (channel === undefined) return nothingSaid
  const list = pythonMessages(checkpoint, channel, place)
  const waiting = waitingFor(source, channel, list.messages)
  const { messages, ...examined } = examineList(list.messages, { ...listOptions, orphans: 'drop' }, waiting)
  if (examined.repairs.length === 0)
    return { ...examined, notes: examined.state === 'pending' && waiting.note ? [waiting.note] : [] }
  const made = madeResults(list.messages, messages)
  const results = await discardedResults(source, channel, new Set(made.values()))
  const found = new Map<string, RecordFields>()
  const healed = finish(messages, made, { channel, results, thread }, found)
  return {
    ...examined,
    repairs: examined.repairs.map(repair => withTemplateQuotes(withFound(repair, found))),
    notes: [],
    storeRepair: source.repairWith(channel, withMessages(list, healed)),
  }
}

/** Results in the writes of the newest checkpoint are those of a step that is not done. */
function waitingFor(source: PythonSource, channel: string, messages: readonly unknown[]) {
  const { checkpoint, isInterrupted, written, hasSends } = source
  const isWritten = written.has(channel) || (hasSends && Number(checkpoint.version) < 4)
  const open = [...checkpoint.pending, ...(isWritten ? ['branch:to:tools'] : [])]
  return waitingIn(tasksIn(open, isInterrupted), messages)
}

/** The results that a repair made up, each with the id of its call. A changed message has an id of its own. */
function madeResults(before: readonly unknown[], healed: readonly unknown[]): ReadonlyMap<unknown, string> {
  const known = new Set(before)
  return new Map(
    healed.flatMap(message => {
      const { tool_call_id: call, id } = kwargsOf(message) ?? {}
      return !known.has(message) && typeof call === 'string' && id === undefined ? [[message, call] as const] : []
    }),
  )
}

interface Found {
  readonly channel: string
  readonly results: ResultsByCall
  readonly thread: CheckpointThread
}

/** The repaired messages: a made-up result is replaced by the real one where that was found, or gets the form of its class. */
function finish(
  messages: readonly unknown[],
  made: ReadonlyMap<unknown, string>,
  { channel, results, thread }: Found,
  found: Map<string, RecordFields>,
): unknown[] {
  let calling: unknown
  return messages.map((message, index) => {
    const call = made.get(message)
    if (kwargsOf(message)?.tool_call_id === undefined) calling = message
    if (call === undefined) return message
    const result = results.find(channel, calling, call)
    if (!result) return pythonResult(message, thread, index)
    found.set(call, result)
    return adopted(result, thread, index)
  })
}

/** A new result with all fields that the class has in Python, in its order. */
function pythonResult(message: unknown, thread: CheckpointThread, index: number): unknown {
  const made = completed(message, thread, index)
  const { content, name, id, tool_call_id } = kwargsOf(made) as RecordFields
  const kwargs = {
    content,
    ...{ additional_kwargs: {}, response_metadata: {} },
    type: 'tool',
    name: name ?? null,
    id,
    tool_call_id,
    artifact: null,
    status: 'error',
  }
  return isRecord(made) ? { ...made, kwargs } : made
}
