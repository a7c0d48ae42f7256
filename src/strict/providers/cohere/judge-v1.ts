import { objects } from '../../json.ts'
import { entryText, type HistoryEntry } from '../../judge/entry.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import { runs } from '../../judge/runs.ts'
import type { RawRequest, Validator } from '../../judge/validator.ts'
import { isLax, missing } from './judge.ts'

/** Cohere, version 1: the history, and separately the new message. */
export const validateCohereV1: Validator = (chat, raw) => [
  ...chat.filter(isWordless).map(({ at }) => reject('co-v1-empty', emptyText, at)),
  ...afterResults(chat, raw),
  ...unansweredCalls(chat, raw),
]

/** Results need no text. Whether calls do was never seen: in the rejected ones it had been lost before. */
const isWordless = (entry: HistoryEntry): boolean =>
  entry.role !== 'tool' && entry.calls.length === 0 && entryText(entry) === '' && !entry.media

const emptyText = 'invalid request: all elements in history must have a message.'

/** In a single step a message may accompany results. Whether it may also follow them was never seen. */
function afterResults(chat: HistoryEntry[], { body = {} }: RawRequest): RejectionReason[] {
  const isSaid = typeof body.message === 'string' && body.message !== '' && body.force_single_step !== true
  const hasResults = objects(chat.at(-1)?.raw.tool_results).length > 0
  return isSaid && hasResults ? [reject('co-v1-user-after-tool', afterText, 'message')] : []
}

const afterText = 'invalid request: cannot specify message if the last entry in chat history contains tool results'

/**
 * Command A also requires results here. There are no ids, and clients omit the parameters: the call of a result cannot be
 * identified, so one result is enough. Without a model the API uses its default.
 */
function unansweredCalls(chat: HistoryEntry[], { model = '', body = {} }: RawRequest): RejectionReason[] {
  if (model === '' || isLax(model)) return []
  const isAnswered = objects(body.tool_results).length > 0
  return runs(chat).flatMap(({ opener, results, last }) =>
    opener && results.length === 0 && !(last && isAnswered) ? [missing(opener)] : [],
  )
}
