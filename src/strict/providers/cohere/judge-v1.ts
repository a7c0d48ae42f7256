import { objects } from '../../json.ts'
import { type Entry, textOf } from '../../judge/entry.ts'
import { type Objection, refuse } from '../../judge/objection.ts'
import { runs } from '../../judge/runs.ts'
import type { Validator, Wire } from '../../judge/validator.ts'
import { isLax, missing } from './judge.ts'

/** Cohere, version 1: the history, and beside it what is new. */
export const cohereV1: Validator = (chat, wire) => [
  ...chat.filter(isWordless).map(({ at }) => refuse('co-v1-empty', emptyText, at)),
  ...afterResults(chat, wire),
  ...unansweredCalls(chat, wire),
]

/** Results need no words. Whether calls do was never seen: those that were refused had lost theirs on the way. */
const isWordless = (entry: Entry): boolean =>
  entry.role !== 'tool' && entry.calls.length === 0 && textOf(entry) === '' && !entry.media

const emptyText = 'invalid request: all elements in history must have a message.'

/** In a single step a message may stand beside results. Whether also behind them was never seen. */
function afterResults(chat: Entry[], { body = {} }: Wire): Objection[] {
  const isSaid = typeof body.message === 'string' && body.message !== '' && body.force_single_step !== true
  const hasResults = objects(chat.at(-1)?.wire.tool_results).length > 0
  return isSaid && hasResults ? [refuse('co-v1-user-after-tool', afterText, 'message')] : []
}

const afterText = 'invalid request: cannot specify message if the last entry in chat history contains tool results'

/**
 * Command A wants results here as well. There are no ids, and clients leave out the parameters: which call a result is for
 * cannot be told, so one is enough. Without a model the API takes one of its own.
 */
function unansweredCalls(chat: Entry[], { model = '', body = {} }: Wire): Objection[] {
  if (model === '' || isLax(model)) return []
  const isAnswered = objects(body.tool_results).length > 0
  return runs(chat).flatMap(({ opener, results, last }) =>
    opener && results.length === 0 && !(last && isAnswered) ? [missing(opener)] : [],
  )
}
