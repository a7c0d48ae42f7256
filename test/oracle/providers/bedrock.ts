import { type Call, type Entry, isEmpty, textOf } from '../entry.ts'
import { type Refusal, refuse, refusePedantically } from '../refusal.ts'
import { idsOf } from '../runs.ts'
import type { Validator } from '../validator.ts'
import { converseForms, wrapped } from './bedrock-forms.ts'
import { dotted } from './dotted.ts'

/** Bedrock Converse. In its own wire a turn is a message; from other wires a gateway makes one of each side's neighbours. */
export const bedrock: Validator = (chat, { format, messages }) => {
  const isHome = format === 'bedrock'
  const talk = chat.filter(({ role }) => ['user', 'assistant', 'tool'].includes(role))
  const turns = turnsOf(talk, isHome)
  return [
    ...ends(turns),
    ...turns.flatMap((turn, place) => [
      ...alternation(turn, turns[place - 1]),
      ...answers(turn, turns[place + 1]),
      ...questions(turn, turns[place - 1]),
      ...ids(turn.calls),
    ]),
    ...(isHome ? converseForms(messages) : talk.flatMap(blankEntry)),
  ]
}

type Turn = { isAssistant: boolean; index: number; entries: Entry[]; calls: Call[]; results: Entry[] }

function turnsOf(talk: Entry[], isHome: boolean): Turn[] {
  const turns: Turn[] = []
  for (const entry of talk) {
    const isAssistant = isHome ? entry.wire.role === 'assistant' : entry.role === 'assistant'
    let turn = turns.at(-1)
    if (!turn || (isHome ? turn.index !== entry.index : turn.isAssistant !== isAssistant)) {
      turn = { isAssistant, index: entry.index, entries: [], calls: [], results: [] }
      turns.push(turn)
    }
    turn.entries.push(entry)
    turn.calls.push(...entry.calls)
    if (entry.role === 'tool') turn.results.push(entry)
  }
  return turns
}

function ends(turns: Turn[]): Refusal[] {
  const found: Refusal[] = []
  const last = turns.at(-1)
  if (turns[0]?.isAssistant !== false)
    found.push(refuse('br-start-user', startText, turns[0] ? place(turns[0]) : 'messages'))
  if (last?.isAssistant && last.calls.length === 0 && /\s$/.test(last.entries.map(textOf).join('')))
    found.push(refuse('br-trailing-ws', trailingText, place(last)))
  return found
}

const alternation = (turn: Turn, before: Turn | undefined): Refusal[] =>
  turn.isAssistant === before?.isAssistant ? [refuse('br-alternate', alternateText, place(turn))] : []

/** The calls of a turn against the results of the next one. */
function answers({ calls, index }: Turn, next: Turn | undefined): Refusal[] {
  const answered = new Set(next?.results.map(result => result.answers))
  const open = calls.filter(({ id }) => id === undefined || !answered.has(id))
  const n = next?.index ?? index + 1
  const message = `Expected toolResult blocks at messages.${n}.content for the following Ids: ${idsOf(open)}`
  return open.length > 0 ? [refuse('br-missing-result', message, `messages[${index}]`)] : []
}

/** The results of a turn against the calls of the one before. */
function questions({ results, index }: Turn, before: Turn | undefined): Refusal[] {
  const found: Refusal[] = []
  const at = `messages[${index}]`
  const surplus = `The number of toolResult blocks at messages.${index}.content exceeds the number of toolUse blocks of previous turn.`
  if (results.length > (before?.calls.length ?? 0)) found.push(refuse('br-too-many-results', surplus, at))
  const again = repeated(results.map(({ answers }) => answers))
  const twice = `The toolResult blocks at messages.${index}.content contain duplicate Ids: ${again}`
  if (again !== undefined) found.push(refusePedantically('br-dup-result', twice, at))
  return found
}

function ids(calls: Call[]): Refusal[] {
  const found = calls.flatMap(({ id, at }) =>
    id === undefined || idForm.test(id)
      ? []
      : [refusePedantically('br-id-form', `${dotted(at)}.toolUse.toolUseId`, at)],
  )
  const again = repeated(calls.map(({ id }) => id))
  const at = calls[0]?.at.replace(/\.[^.]*$/, '') ?? ''
  const message = `The toolUse blocks at ${dotted(at)}.content contain duplicate Ids: ${again}`
  return again === undefined ? found : [...found, refuse('br-dup-use', message, at)]
}

const repeated = (ids: (string | undefined)[]): string | undefined =>
  ids.find((id, place) => id !== undefined && ids.indexOf(id) < place)

/** Empty and blank messages of another wire; a gateway leaves out what is empty beside calls, but not blank text. */
function blankEntry(entry: Entry): Refusal[] {
  if (entry.role === 'tool') return []
  const empty = `The content field in the Message object at messages.${entry.index} is empty. Add a ContentBlock object to the content field and try again.`
  if (isEmpty(entry)) return [refuse('br-empty-content', empty, entry.at)]
  const text = textOf(entry)
  const blank = 'messages: text content blocks must contain non-whitespace text'
  return text !== '' && text.trim() === '' ? [refuse('br-ws-text', blank, entry.at)] : []
}

const place = ({ index }: Turn): string => `messages[${index}]`

const idForm = /^[a-zA-Z0-9_-]{1,64}$/
const startText =
  'A conversation must start with a user message. Try again with a conversation that starts with a user message.'
const alternateText =
  'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.'
const trailingText = wrapped('messages: final assistant content cannot end with trailing whitespace')
