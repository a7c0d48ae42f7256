import { type JsonObject, objectOf, objects } from '../../json.ts'
import { type HistoryEntry, isEmpty } from '../../judge/entry.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { RawRequest, Validator } from '../../judge/validator.ts'

/**
 * Mistral's own API, according to its published validator, in the same order: list, ends, role order, pairs, messages, tools.
 */
export const validateMistral: Validator = (chat, raw) => {
  if (chat.length === 0) return [reject('mi-empty', 'Conversation must have at least one message', 'messages')]
  const manner: Manner = { version: raw.model === undefined ? undefined : tokenizerOf(raw.model), isHosted: true }
  return [...ends(chat), ...shared(chat, raw, manner), ...objects(raw.body?.tools).flatMap(declared)]
}

/**
 * The same in vLLM, which runs it in a more lenient mode, shortens long ids to their end, and repeats every message: once as
 * its own error and once as the cause.
 */
export const mistralTokenizer: Validator = (chat, raw) =>
  shared(chat.map(shortened), raw, { version: tokenizerOf(raw.model ?? ''), isHosted: false }).map(reason => ({
    ...reason,
    message: `${reason.message} ${reason.message}`,
  }))

interface Manner {
  /** The version of the tokenizer. If it is unknown, everything that any version rejects is rejected. */
  version: number | undefined
  isHosted: boolean
}

/** Older models, by name. All others have version 13 or later. */
const tokenizers = [
  { models: /open-mi[sx]tral|mi[sx]tral-?(7b|8x|nemo)|pixtral-12b|tral-.*24(0\d|10)\b/i, version: 3 },
  { models: /-(2411|250[1-8])\b/, version: 7 },
]

const tokenizerOf = (model: string): number => tokenizers.find(({ models }) => models.test(model))?.version ?? 13

const shared = (chat: HistoryEntry[], raw: RawRequest, manner: Manner): RejectionReason[] => [
  ...order(chat),
  ...pairs(chat, manner),
  ...chat.flatMap((entry, place) => content(entry, place === chat.length - 1, raw, manner)),
]

const isPrefix = ({ raw }: HistoryEntry): boolean => raw.prefix === true

function ends(chat: HistoryEntry[]): RejectionReason[] {
  const last = chat.at(-1)
  if (!last) return []
  if (chat.length === 1)
    return ['user', 'system'].includes(last.role)
      ? []
      : [reject('mi-single', 'Conversation must start with a user message or system message', last.at)]
  if (last.role !== 'assistant' || isPrefix(last)) return []
  const message = 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant'
  return [reject('mi-last', message, last.at)]
}

const followers = new Map(
  Object.entries({
    system: ['user', 'assistant', 'system'],
    user: ['assistant', 'system', 'user'],
    assistant: ['assistant', 'user', 'tool'],
    tool: ['assistant', 'tool'],
  }),
)

const order = (chat: HistoryEntry[]): RejectionReason[] =>
  chat.flatMap(({ role, at }, place) => {
    const before = chat[place - 1]?.role
    if (before === undefined || !followers.has(role) || followers.get(before)?.includes(role) !== false) return []
    return [reject('mi-order', `Unexpected role '${role}' after role '${before}'`, at)]
  })

function pairs(chat: HistoryEntry[], { version, isHosted }: Manner): RejectionReason[] {
  if (version === undefined) return [...counts(chat, isHosted), ...matches(chat, isHosted)]
  return version < 13 ? counts(chat, isHosted) : matches(chat, isHosted)
}

const miscount = (at: string): RejectionReason =>
  reject('mi-count', 'Not the same number of function calls and responses', at)

/** As many results as calls between two assistant messages. The first message is never counted. */
function counts(chat: HistoryEntry[], isHosted: boolean): RejectionReason[] {
  const found: RejectionReason[] = []
  let due = 0
  for (const { role, calls, at } of chat.slice(1)) {
    if (role === 'tool') due -= 1
    if (role !== 'assistant') continue
    if (due !== 0) found.push(miscount(at))
    due = calls.length
  }
  const last = chat.at(-1)
  if (last && due !== 0 && isHosted) found.push(miscount(last.at))
  return found
}

/** Since version 13 the ids are matched. Again the first message is skipped. */
function matches(chat: HistoryEntry[], isHosted: boolean): RejectionReason[] {
  const found: RejectionReason[] = []
  const expected = new Set<string | undefined>()
  const observed = new Set<string | undefined>()
  for (const { role, calls, answers, at } of chat.slice(1)) {
    if (role === 'tool') {
      const id = answers ?? 'None'
      if (observed.has(answers))
        found.push(reject('mi-v13-dup-result', `Duplicate tool call id ${id} in tool results`, at))
      else if (!expected.has(answers))
        found.push(reject('mi-v13-unexpected', `Unexpected tool call id ${id} in tool results`, at))
      observed.add(answers)
    }
    if (role !== 'assistant') continue
    if (expected.size !== observed.size) found.push(miscount(at))
    expected.clear()
    observed.clear()
    for (const { id, at } of calls) {
      if (expected.has(id))
        found.push(reject('mi-v13-dup-call', `Duplicate tool call id ${id ?? 'null'} in assistant message`, at))
      expected.add(id)
    }
  }
  const last = chat.at(-1)
  if (last && expected.size !== observed.size && isHosted) found.push(miscount(last.at))
  return found
}

function content(
  entry: HistoryEntry,
  isLast: boolean,
  { format }: RawRequest,
  { version, isHosted }: Manner,
): RejectionReason[] {
  const { role, calls, answers, raw, at } = entry
  if (role === 'tool') return [...nameForm(raw.name, at), ...idForm(answers, at)]
  const isSilent = raw.content === null || raw.content === undefined
  if (role === 'system' && isHosted && isSilent && format === 'openai-chat')
    return [reject('mi-system-null', 'System prompt must have content', at)]
  if (role !== 'assistant') return []
  const found = isHosted ? fullness(entry, version) : []
  for (const { id, name, at } of calls) found.push(...callId(id, isHosted, at), ...nameForm(name, at))
  if (isHosted && isPrefix(entry) && !isLast)
    found.push(reject('mi-prefix', 'Assistant message with prefix True must be last message', at))
  return found
}

/** Text or calls; both only since version 5. */
function fullness(entry: HistoryEntry, version = 13): RejectionReason[] {
  const either = 'Assistant message must have either content or tool_calls, but not'
  if (isEmpty(withoutRefusal(entry))) return [reject('mi-none', `${either} none.`, entry.at)]
  const isBoth = entry.calls.length > 0 && !isEmpty({ ...entry, calls: [] })
  return isBoth && version < 5 ? [reject('mi-both', `${either} both.`, entry.at)] : []
}

/** The text of a refusal is last; Mistral has no such field. */
const withoutRefusal = (entry: HistoryEntry): HistoryEntry =>
  typeof entry.raw.refusal === 'string' ? { ...entry, texts: entry.texts.slice(0, -1) } : entry

/** A call without an id has the id `null`, which only the hosted API rejects. */
function callId(id: string | undefined, isHosted: boolean, at: string): RejectionReason[] {
  if (id !== undefined && id !== 'null') return idForm(id, at)
  return isHosted ? [reject('mi-id-missing', 'Tool call id has to be defined in serving mode.', at)] : []
}

function idForm(id: string | undefined, at: string): RejectionReason[] {
  if (id === undefined) return [reject('mi-id-missing', 'Tool call id has to be defined.', at)]
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return []
  return [reject('mi-id', `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`, at)]
}

function nameForm(name: unknown, at: string): RejectionReason[] {
  if (typeof name !== 'string' || /^[a-zA-Z0-9_-]{1,64}$/.test(name)) return []
  const message = `Function name was ${name} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.`
  return [reject('mi-name', message, at)]
}

const declared = (tool: JsonObject, index: number): RejectionReason[] =>
  nameForm(objectOf(tool.function).name, `tools[${index}]`)

const shortened = (entry: HistoryEntry): HistoryEntry => ({
  ...entry,
  calls: entry.calls.map(call => ({ ...call, id: call.id?.slice(-9) })),
  ...(entry.answers !== undefined && { answers: entry.answers.slice(-9) }),
})
