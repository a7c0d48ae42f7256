import { isObject, type JsonObject, stringOf } from '../../json.ts'
import { type Entry, isEmpty, textOf } from '../../judge/entry.ts'
import { isModel, models } from '../../judge/models.ts'
import { type Objection, refuse } from '../../judge/objection.ts'
import type { Validator, Wire } from '../../judge/validator.ts'
import { blocksOf } from './history.ts'
import { blockForms, inputForms } from './judge-blocks.ts'
import { idForms, uniqueIds } from './judge-ids.ts'
import { requestForms, requestLimits } from './judge-limits.ts'
import { pairing } from './judge-pairing.ts'
import { prefill } from './judge-prefill.ts'
import { roles } from './judge-roles.ts'
import { serverTools } from './judge-server-tools.ts'
import { splitResults } from './judge-split.ts'
import { thinking, thinkingSetting, unreadable, unsignedThinking } from './judge-thinking.ts'

/** Anthropic Messages. Other wires are judged as their translation: system words leave the list, results are blocks. */
export const anthropic: Validator = (chat, wire) => {
  const talk = chat.filter(({ role }) => ['user', 'assistant', 'tool'].includes(role))
  return wire.format === 'anthropic' ? atHome(talk, wire) : abroad(talk)
}

/** First the schema, then each message, then how they follow each other. */
function atHome(talk: Entry[], wire: Wire): Objection[] {
  const { messages, body, model, state } = wire
  if (messages.length === 0) return [noMessages]
  const setting = body ? thinkingSetting(body.thinking, isModel(models.thinksOnDemand, model)) : 'free'
  return [
    ...requestForms(wire),
    ...idForms(talk),
    ...inputForms(messages),
    ...unsignedThinking(messages),
    ...roles(messages, model),
    ...blockForms(messages),
    ...uniqueIds(talk),
    ...pairing(talk),
    ...splitResults(messages),
    ...serverTools(wire),
    ...thinking(messages, setting, wire),
    ...unreadable(messages, state),
    // A request for a summary goes on with nobody's words.
    ...(isObject(body?.compaction) ? [] : prefill(messages, model)),
    ...ends(talk, lastWords),
    ...(body ? undeclared(messages, body) : []),
    ...requestLimits(wire),
  ]
}

const abroad = (talk: Entry[]): Objection[] =>
  talk.length === 0
    ? [noMessages]
    : [...idForms(talk), ...blankEntries(talk), ...uniqueIds(talk), ...pairing(talk), ...ends(talk, textOf)]

const noMessages = refuse('an-empty-messages', 'messages: at least one message is required', 'messages')

/** The last block of a message, if it is a text. */
function lastWords({ wire }: Entry): string {
  if (typeof wire.content === 'string') return wire.content
  const last = blocksOf(wire).at(-1)
  return last?.type === 'text' ? (stringOf(last.text) ?? '') : ''
}

/** What a summary of the provider's own stands for may be left out, so that a history can begin with one. */
function ends(talk: Entry[], wordsAtTheEnd: (entry: Entry) => string): Objection[] {
  const found: Objection[] = []
  const [first, last] = [talk[0], talk[talk.length - 1]]
  if (first?.role === 'assistant' && blocksOf(first.wire)[0]?.type !== 'compaction')
    found.push(refuse('an-first-user', 'messages: first message must use the "user" role', first.at))
  if (last?.role === 'assistant' && last.calls.length === 0 && /\s$/.test(wordsAtTheEnd(last))) {
    const message = 'messages: final assistant content cannot end with trailing whitespace'
    found.push(refuse('an-trailing-ws', message, last.at))
  }
  return found
}

function undeclared(messages: JsonObject[], { tools }: JsonObject): Objection[] {
  if (Array.isArray(tools) && tools.length > 0) return []
  const index = messages.findIndex(message => blocksOf(message).some(({ type }) => toolBlocks.has(type)))
  return index < 0 ? [] : [refuse('an-tools-undefined', undeclaredText, `messages[${index}]`)]
}

const toolBlocks = new Set<unknown>(['tool_use', 'tool_result'])
const undeclaredText = 'Requests which include `tool_use` or `tool_result` blocks must define tools.'

/** Empty and blank messages of another wire. A gateway leaves out empty text beside calls, but not blank text. */
const blankEntries = (talk: Entry[]): Objection[] =>
  talk.flatMap((entry, place) => {
    if (entry.role === 'tool') return []
    const isFinalAssistant = entry.role === 'assistant' && place === talk.length - 1
    if (isEmpty(entry)) return isFinalAssistant ? [] : [refuse('an-empty-content', emptyText(entry.index), entry.at)]
    const text = textOf(entry)
    return text !== '' && text.trim() === '' ? [refuse('an-ws-text', blankText, entry.at)] : []
  })

const emptyText = (index: number): string =>
  `messages.${index}: all messages must have non-empty content except for the optional final assistant message`
const blankText = 'messages: text content blocks must contain non-whitespace text'
