import { type HistoryEntry, isEmpty } from '../../judge/entry.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'
import { idsOf, runs, unanswered, unknown } from '../../judge/runs.ts'
import { moonshotThinks } from '../../judge/thinking.ts'
import type { Validator } from '../../judge/validator.ts'

/** Moonshot. */
export const validateMoonshot: Validator = (chat, { format, body, model }) => [
  ...missing(chat),
  ...unknown(chat).map(({ answers, at }) =>
    reject('km-orphan', `Invalid request: tool_call_id ${answers ?? ''} is not found`, at),
  ),
  ...chat.flatMap(empty),
  ...(format === 'openai-chat' && moonshotThinks(body, model) ? chat.flatMap(reasoning) : []),
]

const missing = (chat: HistoryEntry[]): RejectionReason[] =>
  runs(chat).flatMap(run => {
    const open = unanswered(run)
    if (!run.opener || open.length === 0) return []
    const message = `an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${idsOf(open)}`
    return [reject('km-missing', message, run.opener.at)]
  })

function empty(entry: HistoryEntry): RejectionReason[] {
  if (entry.role !== 'assistant' || !isEmpty(entry)) return []
  const message = `Invalid request: the message at position ${entry.index} with role 'assistant' must not be empty`
  return [rejectPedantically('km-empty', message, entry.at)]
}

function reasoning({ calls, raw, index, at }: HistoryEntry): RejectionReason[] {
  if (calls.length === 0 || typeof raw.reasoning_content === 'string') return []
  const message = `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`
  return [reject('km-reasoning', message, at)]
}
