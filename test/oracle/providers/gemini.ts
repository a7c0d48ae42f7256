import type { Entry } from '../entry.ts'
import { type Refusal, refuse, refusePedantically } from '../refusal.ts'
import type { Validator } from '../validator.ts'
import { type Door, partForms } from './gemini-parts.ts'
import { turnsOf } from './gemini-turns.ts'

/** Gemini's own API. Other wires are judged as their translation: system words leave the list, results share a turn. */
export const gemini: Validator = behind('studio')

/** The same behind Vertex AI, which insists on roles and has other words. */
export const vertex: Validator = behind('vertex')

function behind(door: Door): Validator {
  return (chat, { format, messages }) => {
    const isHome = format === 'gemini'
    const turns = turnsOf(
      chat.filter(({ role }) => ['user', 'assistant', 'tool'].includes(role)),
      isHome,
    )
    return [...order(turns), ...ends(turns), ...(isHome ? partForms(messages, door) : [])]
  }
}

function order(turns: Entry[][]): Refusal[] {
  return turns.flatMap((turn, place) => {
    const [before, after] = [turns[place - 1] ?? [], turns[place + 1] ?? []]
    const { at } = turn[0]
    const calls = callsOf(turn)
    const results = resultsOf(turn)
    const isModel = turn[0].role === 'assistant'
    const found: Refusal[] = []
    if (calls > 0 && (!isModel || before.length === 0 || before[0].role === 'assistant'))
      found.push(refuse('ge-call-position', callPositionText, at))
    if (calls > 0 && results === 0 && resultsOf(after) !== calls) found.push(refuse('ge-count', countText, at))
    if (results > 0 && callsOf(before) === 0) found.push(refuse('ge-response-position', responsePositionText, at))
    const isRepeated = before.length > 0 && (before[0].role === 'assistant') === isModel
    if (isRepeated && calls === 0 && results === 0 && resultsOf(before) === 0)
      found.push(refusePedantically('ge-alternate', alternateText, at))
    return found
  })
}

function ends(turns: Entry[][]): Refusal[] {
  if (turns.length === 0) return [refuse('ge-empty', emptyText, 'contents')]
  const found: Refusal[] = []
  const [first, last] = [turns[0], turns[turns.length - 1]]
  if (first[0].role === 'assistant' && callsOf(first) === 0)
    found.push(refusePedantically('ge-start', startText, first[0].at))
  if (last[0].role === 'assistant' && callsOf(last) === 0) found.push(refusePedantically('ge-end', endText, last[0].at))
  return found
}

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
