import { isObject, objects, stringOf } from '../../json.ts'
import { dotted } from '../../judge/dotted.ts'
import { type EntryCall, entryText, type HistoryEntry, isEmpty } from '../../judge/entry.ts'
import { inferred } from '../../judge/inferred.ts'
import { isModel, models } from '../../judge/models.ts'
import { type RejectionReason, reject, rejectPedantically } from '../../judge/rejection-reason.ts'
import { idsOf } from '../../judge/runs.ts'
import type { RawRequest, Validator } from '../../judge/validator.ts'
import { claudeForms, wrappedText } from './judge-claude.ts'
import { constraints } from './judge-constraints.ts'
import { converseForms } from './judge-forms.ts'
import { hostForms } from './judge-hosts.ts'
import { requestLimits, toolNames } from './judge-limits.ts'

/**
 * Bedrock Converse. In its own format a turn is one message; for other formats a gateway joins the neighbours of one side.
 */
export const validateBedrock: Validator = (chat, raw) => {
  const { format, messages, model } = raw
  const isHome = format === 'bedrock'
  if (messages.length === 0 && isModel(models.prompt, model)) return []
  const talk = chat.filter(({ role }) => ['user', 'assistant', 'tool'].includes(role))
  const turns = turnsOf(talk, isHome)
  const structure = [
    ...start(turns),
    ...turns.flatMap((turn, place) => [
      ...answers(turn, turns[place + 1]),
      ...questions(turn, turns[place - 1], raw),
      ...repeatedCalls(turn.calls),
    ]),
    // Seen to be checked last: results in two messages are reported as missing.
    ...turns.flatMap((turn, place) => alternation(turn, turns[place - 1])),
  ]
  if (!isHome) return [...structure, ...turns.flatMap(idForms), ...end(turns, allWords), ...talk.flatMap(blankEntry)]
  // A bare history is judged as one for Claude, which is the strictest.
  const isClaude = model === undefined || models.claude.test(model)
  return [
    ...toolNames(raw),
    ...constraints(raw),
    ...structure,
    ...converseForms(raw),
    ...undeclared(raw),
    ...hostForms(messages, model),
    ...(isClaude ? [...claudeForms(raw), ...end(turns, lastWords)] : []),
    ...requestLimits(raw),
  ]
}

type Turn = {
  isAssistant: boolean
  index: number
  entries: HistoryEntry[]
  calls: EntryCall[]
  results: HistoryEntry[]
}

function turnsOf(talk: HistoryEntry[], isHome: boolean): Turn[] {
  const turns: Turn[] = []
  for (const entry of talk) {
    const isAssistant = isHome ? entry.raw.role === 'assistant' : entry.role === 'assistant'
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

const start = ([first]: Turn[]): RejectionReason[] =>
  first?.isAssistant === false ? [] : [reject('br-start-user', startText, first ? place(first) : 'messages')]

function end(turns: Turn[], wordsAtTheEnd: (turn: Turn) => string): RejectionReason[] {
  const last = turns.at(-1)
  const isOpen = last?.isAssistant && last.calls.length === 0 && /\s$/.test(wordsAtTheEnd(last))
  return isOpen ? [reject('br-trailing-ws', trailingText, place(last))] : []
}

const allWords = ({ entries }: Turn): string => entries.map(entryText).join('')

/** The last block of a message, if it is text. A cache point is a mark on the block before it. */
function lastWords({ entries }: Turn): string {
  const blocks = objects(entries.at(-1)?.raw.content).filter(({ cachePoint }) => cachePoint === undefined)
  return stringOf(blocks.at(-1)?.text) ?? ''
}

const alternation = (turn: Turn, before: Turn | undefined): RejectionReason[] =>
  turn.isAssistant === before?.isAssistant ? [reject('br-alternate', alternateText, place(turn))] : []

/** Checks the calls of a turn against the results of the next one. */
function answers({ calls, index }: Turn, next: Turn | undefined): RejectionReason[] {
  const answered = new Set(next?.results.map(result => result.answers))
  const open = calls.filter(({ id }) => id === undefined || !answered.has(id))
  const n = next?.index ?? index + 1
  const message = `Expected toolResult blocks at messages.${n}.content for the following Ids: ${idsOf(open)}`
  return open.length > 0 ? [reject('br-missing-result', message, `messages[${index}]`)] : []
}

/** Checks the results of a turn against the calls of the previous one. */
function questions({ results, index }: Turn, before: Turn | undefined, raw: RawRequest): RejectionReason[] {
  const found: RejectionReason[] = []
  const at = `messages[${index}]`
  const surplus = `The number of toolResult blocks at messages.${index}.content exceeds the number of toolUse blocks of previous turn.`
  if (results.length > (before?.calls.length ?? 0)) found.push(reject('br-too-many-results', surplus, at))
  const again = repeated(results.map(({ answers }) => answers))
  const twice = `The toolResult blocks at messages.${index}.content contain duplicate Ids: ${again}`
  if (again !== undefined) found.push(...inferred(raw, [rejectPedantically('br-dup-result', twice, at)]))
  return found
}

function repeatedCalls(calls: EntryCall[]): RejectionReason[] {
  const again = repeated(calls.map(({ id }) => id))
  const at = calls[0]?.at.replace(/\.[^.]*$/, '') ?? ''
  const message = `The toolUse blocks at ${dotted(at)}.content contain duplicate Ids: ${again}`
  return again === undefined ? [] : [reject('br-dup-use', message, at)]
}

function repeated(ids: (string | undefined)[]): string | undefined {
  const seen = new Set<string | undefined>([undefined])
  return ids.find(id => id !== undefined && seen.size === seen.add(id).size)
}

/** A gateway may assign its own ids to calls. */
const idForms = ({ calls }: Turn): RejectionReason[] =>
  calls.flatMap(({ id, at }) =>
    id === undefined || /^[a-zA-Z0-9_-]{1,64}$/.test(id)
      ? []
      : [rejectPedantically('br-id-form', `${dotted(at)}.toolUse.toolUseId`, at)],
  )

/** Calls or results in a request without tools. */
function undeclared({ messages, body }: RawRequest): RejectionReason[] {
  if (!body || isObject(body.toolConfig)) return []
  const index = messages.findIndex(({ content }) =>
    objects(content).some(({ toolUse, toolResult }) => isClient(toolUse) || isClient(toolResult)),
  )
  return index < 0 ? [] : [reject('br-toolconfig', undeclaredText, `messages[${index}]`)]
}

/** Those of tools run by the provider have a type. */
const isClient = (block: unknown): boolean => isObject(block) && block.type === undefined

/** Empty and blank messages of another format; a gateway omits empty text next to calls, but not blank text. */
function blankEntry(entry: HistoryEntry): RejectionReason[] {
  if (entry.role === 'tool') return []
  const empty = `The content field in the Message object at messages.${entry.index} is empty. Add a ContentBlock object to the content field and try again.`
  if (isEmpty(entry)) return [reject('br-empty-content', empty, entry.at)]
  const text = entryText(entry)
  const blank = 'messages: text content blocks must contain non-whitespace text'
  return text !== '' && text.trim() === '' ? [reject('br-ws-text', blank, entry.at)] : []
}

const place = ({ index }: Turn): string => `messages[${index}]`

const startText =
  'A conversation must start with a user message. Try again with a conversation that starts with a user message.'
const alternateText =
  'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.'
const trailingText = wrappedText('messages: final assistant content cannot end with trailing whitespace')
const undeclaredText = 'The toolConfig field must be defined when using toolUse and toolResult content blocks.'
