import { parse } from '../../json.ts'
import { type Entry, isEmpty, textOf } from '../../judge/entry.ts'
import { type Objection, refuse, refusePedantically } from '../../judge/objection.ts'
import { duplicates, type Run, runs, unanswered, unknown } from '../../judge/runs.ts'
import type { Validator } from '../../judge/validator.ts'

/** MiniMax (error 2013). It has an OpenAI and an Anthropic endpoint. */
export const minimax: Validator = (chat, { format }) => [
  ...unknown(chat).map(({ answers, at }) =>
    refuse('mm-orphan', `invalid params, tool result's tool id(${answers ?? ''}) not found (2013)`, at),
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

function unmatched(run: Run): Objection[] {
  const { opener, results } = run
  const open = unanswered(run).length
  const repeated = duplicates(run).map(({ again }) => refuse('mm-mismatch', mismatchText, again.at))
  if (!opener || open === 0) return repeated
  return [
    ...repeated,
    results.length === 0
      ? refuse('mm-not-follow', notFollowText, opener.at)
      : refuse('mm-mismatch', mismatchText, opener.at),
  ]
}

/** Results of an earlier call that stand behind something else. */
function detached(chat: Entry[]): Objection[] {
  const seen = new Set<string | undefined>()
  let own = new Set<string | undefined>()
  return chat.flatMap(({ role, calls, answers, at }) => {
    if (role === 'tool')
      return seen.has(answers) && !own.has(answers) ? [refuse('mm-not-follow', notFollowText, at)] : []
    own = new Set(calls.map(({ id }) => id))
    for (const id of own) seen.add(id)
    return []
  })
}

function callForms({ calls }: Entry): Objection[] {
  const seen = new Set<string>()
  return calls.flatMap(({ id = '', args, at }) => {
    const found: Objection[] = []
    if (id === '') found.push(refuse('mm-id-invalid', 'invalid params, tool call id is invalid (2013)', at))
    else if (seen.has(id)) found.push(refuse('mm-dup', `invalid params, duplicate tool_call id: ${id}`, at))
    seen.add(id)
    if (args !== undefined && parse(args) === undefined) {
      const message = `invalid params, invalid function arguments json string, tool_call_id: ${id} (2013)`
      found.push(refuse('mm-args', message, at))
    }
    return found
  })
}

/** Text behind a result in the same message; in a user message of its own it is welcome. */
const textBehindResult = (chat: Entry[]): Objection[] =>
  chat.flatMap((entry, place) => {
    const { role, index, at } = entry
    const before = chat[place - 1]
    const isBehind = role === 'user' && before?.role === 'tool' && before.index === index
    return isBehind && textOf(entry) !== '' ? [refuse('mm-not-follow', notFollowText, at)] : []
  })

const neighbours = (chat: Entry[]): Objection[] =>
  chat.flatMap(({ role, at }, place) =>
    role === 'user' && chat[place - 1]?.role === 'user' ? [refusePedantically('mm-mismatch', mismatchText, at)] : [],
  )

function emptiness(chat: Entry[], isHome: boolean): Objection[] {
  const found = chat
    .filter(entry =>
      entry.role === 'tool' ? isEmpty(entry) : isHome && entry.calls.length > 0 && entry.wire.content === '',
    )
    .map(({ at }) => refusePedantically('mm-empty', emptyText, at))
  const hasUser = chat.some(({ role }) => role === 'user')
  return hasUser ? found : [...found, refusePedantically('mm-empty', emptyText, 'messages')]
}
