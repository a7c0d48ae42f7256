import { isObject, objects, stringOf } from '../../json.ts'
import { dotted } from '../../judge/dotted.ts'
import { type Call, type Entry, isEmpty, textOf } from '../../judge/entry.ts'
import { inferred } from '../../judge/inferred.ts'
import { isModel, models } from '../../judge/models.ts'
import { type Objection, refuse, refusePedantically } from '../../judge/objection.ts'
import { idsOf } from '../../judge/runs.ts'
import type { Validator, Wire } from '../../judge/validator.ts'
import { claudeForms, wrapped } from './judge-claude.ts'
import { constraints } from './judge-constraints.ts'
import { converseForms } from './judge-forms.ts'
import { hostForms } from './judge-hosts.ts'
import { requestLimits, toolNames } from './judge-limits.ts'

/** Bedrock Converse. In its own wire a turn is a message; from other wires a gateway makes one of each side's neighbours. */
export const bedrock: Validator = (chat, wire) => {
  const { format, messages, model } = wire
  const isHome = format === 'bedrock'
  if (messages.length === 0 && isModel(models.prompt, model)) return []
  const talk = chat.filter(({ role }) => ['user', 'assistant', 'tool'].includes(role))
  const turns = turnsOf(talk, isHome)
  const structure = [
    ...start(turns),
    ...turns.flatMap((turn, place) => [
      ...answers(turn, turns[place + 1]),
      ...questions(turn, turns[place - 1], wire),
      ...repeatedCalls(turn.calls),
    ]),
    // Seen to come last: results in two messages are told as missing.
    ...turns.flatMap((turn, place) => alternation(turn, turns[place - 1])),
  ]
  if (!isHome) return [...structure, ...turns.flatMap(idForms), ...end(turns, allWords), ...talk.flatMap(blankEntry)]
  // A bare history is judged as one for Claude, which is the strictest.
  const isClaude = model === undefined || models.claude.test(model)
  return [
    ...toolNames(wire),
    ...constraints(wire),
    ...structure,
    ...converseForms(wire),
    ...undeclared(wire),
    ...hostForms(messages, model),
    ...(isClaude ? [...claudeForms(wire), ...end(turns, lastWords)] : []),
    ...requestLimits(wire),
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

const start = ([first]: Turn[]): Objection[] =>
  first?.isAssistant === false ? [] : [refuse('br-start-user', startText, first ? place(first) : 'messages')]

function end(turns: Turn[], wordsAtTheEnd: (turn: Turn) => string): Objection[] {
  const last = turns.at(-1)
  const isOpen = last?.isAssistant && last.calls.length === 0 && /\s$/.test(wordsAtTheEnd(last))
  return isOpen ? [refuse('br-trailing-ws', trailingText, place(last))] : []
}

const allWords = ({ entries }: Turn): string => entries.map(textOf).join('')

/** The last block of a message, if it is a text. A cache point is a mark on the block before it. */
function lastWords({ entries }: Turn): string {
  const blocks = objects(entries.at(-1)?.wire.content).filter(({ cachePoint }) => cachePoint === undefined)
  return stringOf(blocks.at(-1)?.text) ?? ''
}

const alternation = (turn: Turn, before: Turn | undefined): Objection[] =>
  turn.isAssistant === before?.isAssistant ? [refuse('br-alternate', alternateText, place(turn))] : []

/** The calls of a turn against the results of the next one. */
function answers({ calls, index }: Turn, next: Turn | undefined): Objection[] {
  const answered = new Set(next?.results.map(result => result.answers))
  const open = calls.filter(({ id }) => id === undefined || !answered.has(id))
  const n = next?.index ?? index + 1
  const message = `Expected toolResult blocks at messages.${n}.content for the following Ids: ${idsOf(open)}`
  return open.length > 0 ? [refuse('br-missing-result', message, `messages[${index}]`)] : []
}

/** The results of a turn against the calls of the one before. */
function questions({ results, index }: Turn, before: Turn | undefined, wire: Wire): Objection[] {
  const found: Objection[] = []
  const at = `messages[${index}]`
  const surplus = `The number of toolResult blocks at messages.${index}.content exceeds the number of toolUse blocks of previous turn.`
  if (results.length > (before?.calls.length ?? 0)) found.push(refuse('br-too-many-results', surplus, at))
  const again = repeated(results.map(({ answers }) => answers))
  const twice = `The toolResult blocks at messages.${index}.content contain duplicate Ids: ${again}`
  if (again !== undefined) found.push(...inferred(wire, [refusePedantically('br-dup-result', twice, at)]))
  return found
}

function repeatedCalls(calls: Call[]): Objection[] {
  const again = repeated(calls.map(({ id }) => id))
  const at = calls[0]?.at.replace(/\.[^.]*$/, '') ?? ''
  const message = `The toolUse blocks at ${dotted(at)}.content contain duplicate Ids: ${again}`
  return again === undefined ? [] : [refuse('br-dup-use', message, at)]
}

function repeated(ids: (string | undefined)[]): string | undefined {
  const seen = new Set<string | undefined>([undefined])
  return ids.find(id => id !== undefined && seen.size === seen.add(id).size)
}

/** A gateway may well give calls ids of its own. */
const idForms = ({ calls }: Turn): Objection[] =>
  calls.flatMap(({ id, at }) =>
    id === undefined || /^[a-zA-Z0-9_-]{1,64}$/.test(id)
      ? []
      : [refusePedantically('br-id-form', `${dotted(at)}.toolUse.toolUseId`, at)],
  )

/** Calls or results in a request that has no tools. */
function undeclared({ messages, body }: Wire): Objection[] {
  if (!body || isObject(body.toolConfig)) return []
  const index = messages.findIndex(({ content }) =>
    objects(content).some(({ toolUse, toolResult }) => isClient(toolUse) || isClient(toolResult)),
  )
  return index < 0 ? [] : [refuse('br-toolconfig', undeclaredText, `messages[${index}]`)]
}

/** Those of tools that the provider runs say so. */
const isClient = (block: unknown): boolean => isObject(block) && block.type === undefined

/** Empty and blank messages of another wire; a gateway leaves out what is empty beside calls, but not blank text. */
function blankEntry(entry: Entry): Objection[] {
  if (entry.role === 'tool') return []
  const empty = `The content field in the Message object at messages.${entry.index} is empty. Add a ContentBlock object to the content field and try again.`
  if (isEmpty(entry)) return [refuse('br-empty-content', empty, entry.at)]
  const text = textOf(entry)
  const blank = 'messages: text content blocks must contain non-whitespace text'
  return text !== '' && text.trim() === '' ? [refuse('br-ws-text', blank, entry.at)] : []
}

const place = ({ index }: Turn): string => `messages[${index}]`

const startText =
  'A conversation must start with a user message. Try again with a conversation that starts with a user message.'
const alternateText =
  'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.'
const trailingText = wrapped('messages: final assistant content cannot end with trailing whitespace')
const undeclaredText = 'The toolConfig field must be defined when using toolUse and toolResult content blocks.'
