import { isObject, type JsonObject, stringOf } from '../../json.ts'
import { entryText, type HistoryEntry, isEmpty } from '../../judge/entry.ts'
import { isModel, models } from '../../judge/models.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { RawRequest, Validator } from '../../judge/validator.ts'
import { contentBlocks } from './history.ts'
import { blockForms, inputForms } from './judge-blocks.ts'
import { idForms, uniqueIds } from './judge-ids.ts'
import { requestForms, requestLimits } from './judge-limits.ts'
import { pairing } from './judge-pairing.ts'
import { prefill } from './judge-prefill.ts'
import { roles } from './judge-roles.ts'
import { serverTools } from './judge-server-tools.ts'
import { separatedResults } from './judge-split.ts'
import { missingSignatures, thinking, thinkingSetting, unreadableThinking } from './judge-thinking.ts'

/** Anthropic Messages. Other formats are judged as their translation: system text leaves the list, results are blocks. */
export const validateAnthropic: Validator = (chat, raw) => {
  const talk = chat.filter(({ role }) => ['user', 'assistant', 'tool'].includes(role))
  return raw.format === 'anthropic' ? atHome(talk, raw) : abroad(talk)
}

/** First the schema, then each message, then their order. */
function atHome(talk: HistoryEntry[], raw: RawRequest): RejectionReason[] {
  const { messages, body, model, state } = raw
  if (messages.length === 0) return [noMessages]
  const setting = body ? thinkingSetting(body.thinking, isModel(models.thinksOnDemand, model)) : 'free'
  return [
    ...requestForms(raw),
    ...idForms(talk),
    ...inputForms(messages),
    ...missingSignatures(messages),
    ...roles(messages, model),
    ...blockForms(messages),
    ...uniqueIds(talk),
    ...pairing(talk),
    ...separatedResults(messages),
    ...serverTools(raw),
    ...thinking(messages, setting, raw),
    ...unreadableThinking(messages, state),
    // A request for a summary does not continue an assistant message.
    ...(isObject(body?.compaction) ? [] : prefill(messages, model)),
    ...ends(talk, lastWords),
    ...(body ? undeclared(messages, body) : []),
    ...requestLimits(raw),
  ]
}

const abroad = (talk: HistoryEntry[]): RejectionReason[] =>
  talk.length === 0
    ? [noMessages]
    : [...idForms(talk), ...blankEntries(talk), ...uniqueIds(talk), ...pairing(talk), ...ends(talk, entryText)]

const noMessages = reject('an-empty-messages', 'messages: at least one message is required', 'messages')

/** The last block of a message, if it is text. */
function lastWords({ raw }: HistoryEntry): string {
  if (typeof raw.content === 'string') return raw.content
  const last = contentBlocks(raw).at(-1)
  return last?.type === 'text' ? (stringOf(last.text) ?? '') : ''
}

/** The messages that a provider's own summary replaces may be omitted, so that a history can begin with a summary. */
function ends(talk: HistoryEntry[], wordsAtTheEnd: (entry: HistoryEntry) => string): RejectionReason[] {
  const found: RejectionReason[] = []
  const [first, last] = [talk[0], talk[talk.length - 1]]
  if (first?.role === 'assistant' && contentBlocks(first.raw)[0]?.type !== 'compaction')
    found.push(reject('an-first-user', 'messages: first message must use the "user" role', first.at))
  if (last?.role === 'assistant' && last.calls.length === 0 && /\s$/.test(wordsAtTheEnd(last))) {
    const message = 'messages: final assistant content cannot end with trailing whitespace'
    found.push(reject('an-trailing-ws', message, last.at))
  }
  return found
}

function undeclared(messages: JsonObject[], { tools }: JsonObject): RejectionReason[] {
  if (Array.isArray(tools) && tools.length > 0) return []
  const index = messages.findIndex(message => contentBlocks(message).some(({ type }) => toolBlocks.has(type)))
  return index < 0 ? [] : [reject('an-tools-undefined', undeclaredText, `messages[${index}]`)]
}

const toolBlocks = new Set<unknown>(['tool_use', 'tool_result'])
const undeclaredText = 'Requests which include `tool_use` or `tool_result` blocks must define tools.'

/** Empty and blank messages of another format. A gateway omits empty text next to calls, but not blank text. */
const blankEntries = (talk: HistoryEntry[]): RejectionReason[] =>
  talk.flatMap((entry, place) => {
    if (entry.role === 'tool') return []
    const isFinalAssistant = entry.role === 'assistant' && place === talk.length - 1
    if (isEmpty(entry)) return isFinalAssistant ? [] : [reject('an-empty-content', emptyText(entry.index), entry.at)]
    const text = entryText(entry)
    return text !== '' && text.trim() === '' ? [reject('an-ws-text', blankText, entry.at)] : []
  })

const emptyText = (index: number): string =>
  `messages.${index}: all messages must have non-empty content except for the optional final assistant message`
const blankText = 'messages: text content blocks must contain non-whitespace text'
