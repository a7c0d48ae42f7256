import { isObject, parse } from '../../json.ts'
import type { HistoryEntry } from '../../judge/entry.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'
import { runs, strays, unanswered } from '../../judge/runs.ts'
import type { Validator } from '../../judge/validator.ts'

/** Qwen on DashScope. */
export const validateQwen: Validator = (chat, { format, messages, body }) => [
  ...missing(chat),
  ...strays(chat).map(({ at }) => reject('qw-orphan', prefix + orphanText, at)),
  // A request without messages is a different error, whose message is not known.
  ...(chat.some(({ role }) => role === 'user') || (body && messages.length === 0)
    ? []
    : [reject('qw-no-user', prefix + noUserText, 'messages')]),
  ...chat.flatMap(role),
  ...chat.flatMap(args),
  ...(format === 'openai-chat' ? chat.flatMap(emptyCalls) : []),
]

const prefix = '<400> InternalError.Algo.InvalidParameter: '
const orphanText = 'messages with role "tool" must be a response to a preceeding message with "tool_calls".'
const noUserText = 'The input messages do not contain elements with the role of user'

const missing = (chat: HistoryEntry[]): RejectionReason[] =>
  runs(chat).flatMap(run => {
    if (!run.opener || unanswered(run).length === 0) return []
    const message = `${prefix}An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: message[${run.opener.index}].role`
    return [reject('qw-missing', message, run.opener.at)]
  })

function role({ role, index, at }: HistoryEntry): RejectionReason[] {
  if (roles.includes(role)) return []
  const message = `${role} is not one of ['system', 'assistant', 'user', 'tool', 'function'] - 'messages.['${index}].role'`
  return [reject('qw-role', message, at)]
}

const roles = ['system', 'assistant', 'user', 'tool', 'function']

const args = ({ calls }: HistoryEntry): RejectionReason[] =>
  calls
    .filter(({ args }) => args !== undefined && !isObject(parse(args)))
    .map(({ at }) =>
      reject('qw-args', `${prefix}The "function.arguments" parameter of the code model must be in JSON format.`, at),
    )

const emptyCalls = ({ raw, at }: HistoryEntry): RejectionReason[] =>
  Array.isArray(raw.tool_calls) && raw.tool_calls.length === 0
    ? [rejectPedantically('qw-empty-toolcalls', `${prefix}Empty tool_calls is not supported in message`, at)]
    : []
