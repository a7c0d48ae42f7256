import { type JsonObject, objectOf, objects } from '../../json.ts'
import { type Entry, isEmpty } from '../../judge/entry.ts'
import { type Objection, refuse } from '../../judge/objection.ts'
import type { Validator, Wire } from '../../judge/validator.ts'

/** Mistral's own API, after the validator that it publishes, in its order: list, ends, role order, pairs, messages, tools. */
export const mistral: Validator = (chat, wire) => {
  if (chat.length === 0) return [refuse('mi-empty', 'Conversation must have at least one message', 'messages')]
  const manner: Manner = { version: wire.model === undefined ? undefined : tokenizerOf(wire.model), isHosted: true }
  return [...ends(chat), ...shared(chat, wire, manner), ...objects(wire.body?.tools).flatMap(declared)]
}

/**
 * The same in vLLM, which runs it in a mode that lets more pass, cuts long ids to their end, and says everything twice:
 * once as its own error and once as the cause.
 */
export const mistralTokenizer: Validator = (chat, wire) =>
  shared(chat.map(shortened), wire, { version: tokenizerOf(wire.model ?? ''), isHosted: false }).map(objection => ({
    ...objection,
    message: `${objection.message} ${objection.message}`,
  }))

interface Manner {
  /** The version of the tokenizer. Where nobody knows it, whatever any version refuses is refused. */
  version: number | undefined
  isHosted: boolean
}

/** Older models, by their names. All others have version 13 or a later one. */
const tokenizers = [
  { models: /open-mi[sx]tral|mi[sx]tral-?(7b|8x|nemo)|pixtral-12b|tral-.*24(0\d|10)\b/i, version: 3 },
  { models: /-(2411|250[1-8])\b/, version: 7 },
]

const tokenizerOf = (model: string): number => tokenizers.find(({ models }) => models.test(model))?.version ?? 13

const shared = (chat: Entry[], wire: Wire, manner: Manner): Objection[] => [
  ...order(chat),
  ...pairs(chat, manner),
  ...chat.flatMap((entry, place) => content(entry, place === chat.length - 1, wire, manner)),
]

const isPrefix = ({ wire }: Entry): boolean => wire.prefix === true

function ends(chat: Entry[]): Objection[] {
  const last = chat[chat.length - 1]
  if (chat.length === 1)
    return ['user', 'system'].includes(last.role)
      ? []
      : [refuse('mi-single', 'Conversation must start with a user message or system message', last.at)]
  if (last.role !== 'assistant' || isPrefix(last)) return []
  const message = 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant'
  return [refuse('mi-last', message, last.at)]
}

const followers = new Map(
  Object.entries({
    system: ['user', 'assistant', 'system'],
    user: ['assistant', 'system', 'user'],
    assistant: ['assistant', 'user', 'tool'],
    tool: ['assistant', 'tool'],
  }),
)

const order = (chat: Entry[]): Objection[] =>
  chat.flatMap(({ role, at }, place) => {
    const before = place === 0 ? undefined : chat[place - 1].role
    if (before === undefined || !followers.has(role) || followers.get(before)?.includes(role) !== false) return []
    return [refuse('mi-order', `Unexpected role '${role}' after role '${before}'`, at)]
  })

function pairs(chat: Entry[], { version, isHosted }: Manner): Objection[] {
  if (version === undefined) return [...counts(chat, isHosted), ...matches(chat, isHosted)]
  return version < 13 ? counts(chat, isHosted) : matches(chat, isHosted)
}

const miscount = (at: string): Objection =>
  refuse('mi-count', 'Not the same number of function calls and responses', at)

/** As many results as calls between two assistant messages. The first message is never counted. */
function counts(chat: Entry[], isHosted: boolean): Objection[] {
  const found: Objection[] = []
  let due = 0
  for (const { role, calls, at } of chat.slice(1)) {
    if (role === 'tool') due -= 1
    if (role !== 'assistant') continue
    if (due !== 0) found.push(miscount(at))
    due = calls.length
  }
  if (due !== 0 && isHosted) found.push(miscount(chat[chat.length - 1].at))
  return found
}

/** Since version 13 the ids are matched. Again the first message is skipped. */
function matches(chat: Entry[], isHosted: boolean): Objection[] {
  const found: Objection[] = []
  const expected = new Set<string | undefined>()
  const observed = new Set<string | undefined>()
  for (const { role, calls, answers, at } of chat.slice(1)) {
    if (role === 'tool') {
      const id = answers ?? 'None'
      if (observed.has(answers))
        found.push(refuse('mi-v13-dup-result', `Duplicate tool call id ${id} in tool results`, at))
      else if (!expected.has(answers))
        found.push(refuse('mi-v13-unexpected', `Unexpected tool call id ${id} in tool results`, at))
      observed.add(answers)
    }
    if (role !== 'assistant') continue
    if (expected.size !== observed.size) found.push(miscount(at))
    expected.clear()
    observed.clear()
    for (const { id, at } of calls) {
      if (expected.has(id))
        found.push(refuse('mi-v13-dup-call', `Duplicate tool call id ${id ?? 'null'} in assistant message`, at))
      expected.add(id)
    }
  }
  if (expected.size !== observed.size && isHosted) found.push(miscount(chat[chat.length - 1].at))
  return found
}

function content(entry: Entry, isLast: boolean, { format }: Wire, { version, isHosted }: Manner): Objection[] {
  const { role, calls, answers, wire, at } = entry
  if (role === 'tool') return [...nameForm(wire.name, at), ...idForm(answers, at)]
  const isSilent = wire.content === null || wire.content === undefined
  if (role === 'system' && isHosted && isSilent && format === 'openai-chat')
    return [refuse('mi-system-null', 'System prompt must have content', at)]
  if (role !== 'assistant') return []
  const found = isHosted ? fullness(entry, version) : []
  for (const { id, name, at } of calls) found.push(...callId(id, isHosted, at), ...nameForm(name, at))
  if (isHosted && isPrefix(entry) && !isLast)
    found.push(refuse('mi-prefix', 'Assistant message with prefix True must be last message', at))
  return found
}

/** Words or calls; both only since version 5. */
function fullness(entry: Entry, version = 13): Objection[] {
  const either = 'Assistant message must have either content or tool_calls, but not'
  if (isEmpty(withoutRefusal(entry))) return [refuse('mi-none', `${either} none.`, entry.at)]
  const isBoth = entry.calls.length > 0 && !isEmpty({ ...entry, calls: [] })
  return isBoth && version < 5 ? [refuse('mi-both', `${either} both.`, entry.at)] : []
}

/** The words of a refusal stand last; Mistral has no such field. */
const withoutRefusal = (entry: Entry): Entry =>
  typeof entry.wire.refusal === 'string' ? { ...entry, texts: entry.texts.slice(0, -1) } : entry

/** A call without an id has the id `null`, which only an API in service minds. */
function callId(id: string | undefined, isHosted: boolean, at: string): Objection[] {
  if (id !== undefined && id !== 'null') return idForm(id, at)
  return isHosted ? [refuse('mi-id-missing', 'Tool call id has to be defined in serving mode.', at)] : []
}

function idForm(id: string | undefined, at: string): Objection[] {
  if (id === undefined) return [refuse('mi-id-missing', 'Tool call id has to be defined.', at)]
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return []
  return [refuse('mi-id', `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`, at)]
}

function nameForm(name: unknown, at: string): Objection[] {
  if (typeof name !== 'string' || /^[a-zA-Z0-9_-]{1,64}$/.test(name)) return []
  const message = `Function name was ${name} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.`
  return [refuse('mi-name', message, at)]
}

const declared = (tool: JsonObject, index: number): Objection[] =>
  nameForm(objectOf(tool.function).name, `tools[${index}]`)

const shortened = (entry: Entry): Entry => ({
  ...entry,
  calls: entry.calls.map(call => ({ ...call, id: call.id?.slice(-9) })),
  ...(entry.answers !== undefined && { answers: entry.answers.slice(-9) }),
})
