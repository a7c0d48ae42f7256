import { parse } from '../../json.ts'
import { entryText, type HistoryEntry, isEmpty } from '../../judge/entry.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'
import { duplicates, type ResultRun, runs, unanswered, unknown } from '../../judge/runs.ts'
import type { Validator } from '../../judge/validator.ts'

/** MiniMax (error 2013). It has an OpenAI and an Anthropic endpoint. */
export const validateMinimax: Validator = (chat, { format }) => [
  ...unknown(chat).map(({ answers, at }) =>
    reject('mm-orphan', `invalid params, tool result's tool id(${answers ?? ''}) not found (2013)`, at),
  ),
  ...runs(chat).flatMap(unmatched),
  ...detached(chat),
  ...chat.flatMap(callForms),
  ...(format === 'anthropic' ? textBehindResult(chat) : []),
  ...neighbours(chat),
  ...emptiness(chat, format === 'openai-chat'),
]

const notFollowText = 'invalid params, tool call result does not follow tool call (2013)'
const mismatchText = 'invalid params, tool call and result not match (2013)'
const emptyText = 'invalid params, chat content is empty (2013)'

function unmatched(run: ResultRun): RejectionReason[] {
  const { opener, results } = run
  const open = unanswered(run).length
  const repeated = duplicates(run).map(({ again }) => reject('mm-mismatch', mismatchText, again.at))
  if (!opener || open === 0) return repeated
  return [
    ...repeated,
    results.length === 0
      ? reject('mm-not-follow', notFollowText, opener.at)
      : reject('mm-mismatch', mismatchText, opener.at),
  ]
}

/** Results of an earlier call that follow something else. */
function detached(chat: HistoryEntry[]): RejectionReason[] {
  const seen = new Set<string | undefined>()
  let own = new Set<string | undefined>()
  return chat.flatMap(({ role, calls, answers, at }) => {
    if (role === 'tool')
      return seen.has(answers) && !own.has(answers) ? [reject('mm-not-follow', notFollowText, at)] : []
    own = new Set(calls.map(({ id }) => id))
    for (const id of own) seen.add(id)
    return []
  })
}

function callForms({ calls }: HistoryEntry): RejectionReason[] {
  const seen = new Set<string>()
  return calls.flatMap(({ id = '', args, at }) => {
    const found: RejectionReason[] = []
    if (id === '') found.push(reject('mm-id-invalid', 'invalid params, tool call id is invalid (2013)', at))
    else if (seen.has(id)) found.push(reject('mm-dup', `invalid params, duplicate tool_call id: ${id}`, at))
    seen.add(id)
    if (args !== undefined && parse(args) === undefined) {
      const message = `invalid params, invalid function arguments json string, tool_call_id: ${id} (2013)`
      found.push(reject('mm-args', message, at))
    }
    return found
  })
}

/** Text after a result in the same message; in a separate user message it is accepted. */
const textBehindResult = (chat: HistoryEntry[]): RejectionReason[] =>
  chat.flatMap((entry, place) => {
    const { role, index, at } = entry
    const before = chat[place - 1]
    const isBehind = role === 'user' && before?.role === 'tool' && before.index === index
    return isBehind && entryText(entry) !== '' ? [reject('mm-not-follow', notFollowText, at)] : []
  })

const neighbours = (chat: HistoryEntry[]): RejectionReason[] =>
  chat.flatMap(({ role, at }, place) =>
    role === 'user' && chat[place - 1]?.role === 'user' ? [rejectPedantically('mm-mismatch', mismatchText, at)] : [],
  )

function emptiness(chat: HistoryEntry[], isHome: boolean): RejectionReason[] {
  const found = chat
    .filter(entry =>
      entry.role === 'tool' ? isEmpty(entry) : isHome && entry.calls.length > 0 && entry.raw.content === '',
    )
    .map(({ at }) => rejectPedantically('mm-empty', emptyText, at))
  const hasUser = chat.some(({ role }) => role === 'user')
  return hasUser ? found : [...found, rejectPedantically('mm-empty', emptyText, 'messages')]
}
