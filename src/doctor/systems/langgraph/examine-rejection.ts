import { isDeepStrictEqual } from 'node:util'
import { isRecord } from '../../../core/conversation.ts'
import { asList } from '../../../core/request/body-draft.ts'
import type { Rejection } from '../../../heal/rejections/rejection.ts'
import type { RecordFields } from '../../record-format.ts'
import { isOfContent } from '../../rejected/is-stored.ts'
import { repairHistory } from '../../rejected/repair-stored.ts'
import type { Database } from '../../sqlite.ts'
import type { RejectionExamination } from '../../system.ts'
import { channelIn } from './checkpoint.ts'
import { writeCheckpoint } from './examine-thread.ts'
import { kwargsOf } from './made-message.ts'
import type { ThreadReads } from './thread-reads.ts'

/** What would be repaired in the newest checkpoint after a rejection. Only the content of messages is changed. */
export function examineThreadRejection(
  database: Database,
  state: ThreadReads,
  place: string,
  channel: string | undefined,
  rejection: Rejection,
): RejectionExamination {
  const checkpoint = channelIn(state.checkpoint(), place, channel)
  if (!checkpoint || !isOfContent(rejection)) return { repairs: [], remaining: [] }
  const stored = checkpoint.messages
  const sent = stored.map(asSent)
  const format = sent.some(({ content }) => asList(content).some(isAnthropic)) ? 'anthropic' : 'openai-chat'
  const { messages, repairs, remaining } = repairHistory(sent, format, rejection)
  if (repairs.length === 0) return { repairs, remaining }
  const healed = messages.map(({ origin, message }) =>
    isDeepStrictEqual((message as RecordFields).content, sent[origin]?.content)
      ? stored[origin]
      : withContent(stored[origin], (message as RecordFields).content ?? ''),
  )
  if (healed.length === stored.length && healed.every((message, index) => message === stored[index]))
    return { repairs: [], remaining }
  const kept = new Set(healed)
  const dropped = stored.flatMap((message, index) =>
    kept.has(message)
      ? []
      : [{ at: `messages[${index}]`, rule: rejection.kind, content: JSON.stringify(message) ?? '' }],
  )
  return {
    repairs,
    remaining,
    dropped,
    storeRepair: {
      files: database.files,
      isShared: true,
      apply: async assertUnused =>
        database.change(change => writeCheckpoint(change, state.thread, checkpoint, healed, [], place), assertUnused),
    },
  }
}

/** A message as it is sent: its role, content and calls. */
function asSent(message: unknown): RecordFields {
  const { content, tool_calls } = kwargsOf(message) ?? dataOf(message)
  return { role: roleOf(message), content, ...(asList(tool_calls).length > 0 && { tool_calls }) }
}

const dataOf = (message: unknown): RecordFields =>
  !isRecord(message) ? {} : isRecord(message.data) ? message.data : message

function roleOf(message: unknown): string {
  if (!isRecord(message)) return 'user'
  const name = String(Array.isArray(message.id) ? message.id.at(-1) : (message.type ?? message.role))
  if (/^(ai|assistant)/i.test(name)) return 'assistant'
  if (/^tool/i.test(name)) return 'tool'
  return /^(system|developer)/i.test(name) ? 'system' : 'user'
}

/** Blocks as Anthropic and Bedrock write them. */
const isAnthropic = (block: unknown): boolean =>
  isRecord(block) &&
  (['thinking', 'redacted_thinking', 'tool_use', 'tool_result'].includes(String(block.type)) || isRecord(block.source))

function withContent(message: unknown, content: unknown): unknown {
  const fields = message as RecordFields
  if (isRecord(fields.kwargs)) return { ...fields, kwargs: { ...fields.kwargs, content } }
  return isRecord(fields.data) ? { ...fields, data: { ...fields.data, content } } : { ...fields, content }
}
