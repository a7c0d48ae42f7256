import type { Entry } from '../../judge/entry.ts'
import { inferred } from '../../judge/inferred.ts'
import { type Objection, refuse, refusePedantically } from '../../judge/objection.ts'
import { unknown } from '../../judge/runs.ts'
import type { Validator, Wire } from '../../judge/validator.ts'
import { requestForms, requestLimits } from './judge-limits.ts'
import { type Door, partForms } from './judge-parts.ts'
import { foreignSignatures, signatures } from './judge-signatures.ts'
import { turnsOf } from './judge-turns.ts'

/** Gemini's own API. Other wires are judged as their translation: system words leave the list, results share a turn. */
export const gemini: Validator = behind('studio')

/** The same behind Vertex AI, which insists on roles and has other words. */
export const vertex: Validator = behind('vertex')

function behind(door: Door): Validator {
  return (chat, wire) => {
    const { format, messages } = wire
    const isHome = format === 'gemini'
    const turns = turnsOf(
      chat.filter(({ role }) => ['user', 'assistant', 'tool'].includes(role)),
      wire,
    )
    if (isHome ? messages.length === 0 : turns.length === 0)
      return [refuse('ge-empty', door === 'vertex' ? emptyVertexText : emptyText, 'contents')]
    if (!isHome) return [...nameless(turns, wire), ...translated(order(turns, false), wire), ...ends(turns, wire)]
    return [
      ...requestForms(wire),
      ...partForms(wire, door),
      ...order(turns, isContinued(wire)),
      ...ends(turns, wire),
      ...signatures(wire, door),
      ...foreignSignatures(wire, door),
      ...requestLimits(wire),
    ]
  }
}

/** What stands in a cache comes before the first turn. */
const isContinued = ({ body }: Wire): boolean => Boolean(body?.cachedContent ?? body?.cached_content)

function order(turns: Entry[][], isContinued: boolean): Objection[] {
  return turns.flatMap((turn, place) => {
    const [before, after] = [turns[place - 1] ?? [], turns[place + 1] ?? []]
    const { at } = turn[0]
    const calls = callsOf(turn)
    const results = resultsOf(turn)
    const isModel = turn[0].role === 'assistant'
    const isFirst = before.length === 0
    const found: Objection[] = []
    if (calls > 0 && (!isModel || (isFirst ? !isContinued : before[0].role === 'assistant')))
      found.push(refuse('ge-call-position', callPositionText, at))
    if (calls > 0 && results === 0 && resultsOf(after) !== calls) found.push(refuse('ge-count', countText, at))
    if (results > 0 && callsOf(before) === 0 && !(isFirst && isContinued))
      found.push(refuse('ge-response-position', responsePositionText, at))
    const isRepeated = !isFirst && (before[0].role === 'assistant') === isModel
    if (isRepeated && calls === 0 && results === 0 && resultsOf(before) === 0)
      found.push(refusePedantically('ge-alternate', alternateText, at))
    return found
  })
}

function ends(turns: Entry[][], wire: Wire): Objection[] {
  const found: Objection[] = []
  const [first, last] = [turns[0], turns[turns.length - 1]]
  if (first?.[0].role === 'assistant' && callsOf(first) === 0)
    found.push(...inferred(wire, [refusePedantically('ge-start', startText, first[0].at)]))
  if (last?.[0].role === 'assistant' && callsOf(last) === 0)
    found.push(refusePedantically('ge-end', endText, last[0].at))
  return found
}

/** Behind OpenAI's API the name of a result is that of its call: without a call it has none. */
function nameless(turns: Entry[][], { state }: Wire): Objection[] {
  if (!state) return []
  const strangers = new Set(unknown(turns.flat()))
  return turns.flatMap((turn, n) =>
    turn.flatMap((entry, k) =>
      strangers.has(entry) ? [refuse('ge-fr-name', namelessText(`contents[${n}].parts[${k}]`), entry.at)] : [],
    ),
  )
}

const namelessText = (path: string): string =>
  `* GenerateContentRequest.${path}.function_response.name: Name cannot be empty.\n`

/** Whether the translation joins the assistant's neighbours is not known. */
const translated = (found: Objection[], wire: Wire): Objection[] =>
  found.flatMap(objection => (objection.fact === 'ge-call-position' ? inferred(wire, [objection]) : [objection]))

const callsOf = (turn: Entry[]): number => turn.reduce((count, { calls }) => count + calls.length, 0)
const resultsOf = (turn: Entry[]): number => turn.filter(({ role }) => role === 'tool').length

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
