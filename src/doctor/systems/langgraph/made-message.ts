import { createHash } from 'node:crypto'
import { isRecord } from '../../../core/conversation.ts'
import { placeholderTexts } from '../../../core/placeholder.ts'
import type { RecordFields } from '../../record-format.ts'
import type { CheckpointThread } from './checkpoint.ts'

/** The fields of a message that is written as its constructor; undefined if it is written in another way. */
export const kwargsOf = (message: unknown): RecordFields | undefined =>
  isRecord(message) && isRecord(message.kwargs) ? message.kwargs : undefined

/** A placeholder result with all fields that a `ToolMessage` writes, in its order. */
export function completed(message: unknown, thread: CheckpointThread, index: number): unknown {
  const kwargs = kwargsOf(message)
  if (!kwargs) return message
  const { content, tool_call_id, name, ...rest } = kwargs
  const text = content === placeholderTexts.unknown ? interrupted : content
  const id = idFor(thread, tool_call_id, index)
  const named = name === undefined ? {} : { name }
  const fields = { status: 'error', content: text, tool_call_id, ...named, metadata: {}, ...empty, ...rest, id }
  return { ...(message as RecordFields), kwargs: fields }
}

const interrupted = 'Tool call was interrupted before a result was recorded.'
const empty = { additional_kwargs: {}, response_metadata: {} }

/** A result that was in the writes. The reducer would have given it an id. */
export function adopted(message: RecordFields, thread: CheckpointThread, index: number): unknown {
  const kwargs = kwargsOf(message) as RecordFields
  return { ...message, kwargs: { ...kwargs, id: kwargs.id ?? idFor(thread, kwargs.tool_call_id, index) } }
}

/** Every message of a state has an id; the same call at the same place gets the same one. */
function idFor({ thread_id, checkpoint_ns }: CheckpointThread, call: unknown, index: number): string {
  const hash = createHash('sha256')
    .update(JSON.stringify(['antiphon', thread_id, checkpoint_ns, call, index]))
    .digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
