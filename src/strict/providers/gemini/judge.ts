import type { HistoryEntry } from '../../judge/entry.ts'
import { inferred } from '../../judge/inferred.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'
import { unknown } from '../../judge/runs.ts'
import type { RawRequest, Validator } from '../../judge/validator.ts'
import { requestForms, requestLimits } from './judge-limits.ts'
import { type GeminiApi, partForms } from './judge-parts.ts'
import { foreignSignatures, signatures } from './judge-signatures.ts'
import { type EntriesOfTurn, turnsOf } from './judge-turns.ts'

/** Gemini's own API. Other formats are judged as their translation: system text leaves the list, results share a turn. */
export const validateGemini: Validator = validatorFor('studio')

/** The same on Vertex AI, which requires roles and has other error messages. */
export const validateVertex: Validator = validatorFor('vertex')

function validatorFor(api: GeminiApi): Validator {
  return (chat, raw) => {
    const { format, messages } = raw
    const isHome = format === 'gemini'
    const turns = turnsOf(
      chat.filter(({ role }) => ['user', 'assistant', 'tool'].includes(role)),
      raw,
    )
    if (isHome ? messages.length === 0 : turns.length === 0)
      return [reject('ge-empty', api === 'vertex' ? emptyVertexText : emptyText, 'contents')]
    if (!isHome) return [...nameless(turns, raw), ...translated(order(turns, false), raw), ...ends(turns, raw)]
    return [
      ...requestForms(raw),
      ...partForms(raw, api),
      ...order(turns, isContinued(raw)),
      ...ends(turns, raw),
      ...signatures(raw, api),
      ...foreignSignatures(raw, api),
      ...requestLimits(raw),
    ]
  }
}

/** Cached content precedes the first turn. */
const isContinued = ({ body }: RawRequest): boolean => Boolean(body?.cachedContent ?? body?.cached_content)

/** What the models themselves insist on in the order of turns, whichever API they are reached by. */
export function order(turns: EntriesOfTurn[], isContinued: boolean): RejectionReason[] {
  return turns.flatMap((turn, place) => {
    const before = turns[place - 1]
    const after = turns[place + 1] ?? []
    const [{ at, role }] = turn
    const calls = callsOf(turn)
    const results = resultsOf(turn)
    const isModel = role === 'assistant'
    const isAfterModel = before?.[0].role === 'assistant'
    const found: RejectionReason[] = []
    if (calls > 0 && (!isModel || (before ? isAfterModel : !isContinued)))
      found.push(reject('ge-call-position', callPositionText, at))
    if (calls > 0 && results === 0 && resultsOf(after) !== calls) found.push(reject('ge-count', countText, at))
    if (results > 0 && callsOf(before ?? []) === 0 && (before || !isContinued))
      found.push(reject('ge-response-position', responsePositionText, at))
    const isRepeated = before !== undefined && isAfterModel === isModel
    if (isRepeated && calls === 0 && results === 0 && resultsOf(before) === 0)
      found.push(rejectPedantically('ge-alternate', alternateText, at))
    return found
  })
}

function ends(turns: EntriesOfTurn[], raw: RawRequest): RejectionReason[] {
  const found: RejectionReason[] = []
  const [first, last] = [turns.at(0), turns.at(-1)]
  if (first?.[0].role === 'assistant' && callsOf(first) === 0)
    found.push(...inferred(raw, [rejectPedantically('ge-start', startText, first[0].at)]))
  if (last?.[0].role === 'assistant' && callsOf(last) === 0)
    found.push(rejectPedantically('ge-end', endText, last[0].at))
  return found
}

/** Through the OpenAI-compatible API the name of a result is that of its call: without a call it has none. */
function nameless(turns: HistoryEntry[][], { state }: RawRequest): RejectionReason[] {
  if (!state) return []
  const strangers = new Set(unknown(turns.flat()))
  return turns.flatMap((turn, n) =>
    turn.flatMap((entry, k) =>
      strangers.has(entry) ? [reject('ge-fr-name', namelessText(`contents[${n}].parts[${k}]`), entry.at)] : [],
    ),
  )
}

const namelessText = (path: string): string =>
  `* GenerateContentRequest.${path}.function_response.name: Name cannot be empty.\n`

/** Whether the translation joins neighbouring assistant messages is not known. */
const translated = (found: RejectionReason[], raw: RawRequest): RejectionReason[] =>
  found.flatMap(reason => (reason.fact === 'ge-call-position' ? inferred(raw, [reason]) : [reason]))

const callsOf = (turn: HistoryEntry[]): number => turn.reduce((count, { calls }) => count + calls.length, 0)
const resultsOf = (turn: HistoryEntry[]): number => turn.filter(({ role }) => role === 'tool').length

const callPositionText =
  'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
const responsePositionText = 'Please ensure that function response turn comes immediately after a function call turn.'
const countText =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'
const alternateText = 'Please ensure that multiturn requests alternate between user and model.'
const startText = 'Please ensure that multiturn requests start with a user turn.'
const endText = 'Please ensure that multiturn requests ends with a user role or a function response.'
const emptyText = '* GenerateContentRequest.contents: contents is not specified\n'
const emptyVertexText =
  'Unable to submit request because at least one contents field is required. Learn more: https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/gemini'
