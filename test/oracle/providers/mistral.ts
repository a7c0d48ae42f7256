import { type Entry, isEmpty } from '../entry.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Validator } from '../validator.ts'

/** Mistral, after the validator that it publishes, in its order: list, ends, role order, counts, ids, messages. */
export const mistral: Validator = (chat, { format }) => {
  if (chat.length === 0) return [refuse('mi-empty', 'Conversation must have at least one message', 'messages')]
  return [
    ...ends(chat),
    ...order(chat),
    ...counts(chat),
    ...matches(chat),
    ...chat.flatMap((entry, place) => content(entry, place === chat.length - 1)),
    ...(format === 'openai-chat' ? chat.flatMap(systemContent) : []),
  ]
}

const isPrefix = ({ wire }: Entry): boolean => wire.prefix === true

function ends(chat: Entry[]): Refusal[] {
  const last = chat[chat.length - 1]
  if (chat.length === 1)
    return ['user', 'system'].includes(last.role)
      ? []
      : [refuse('mi-single', 'Conversation must start with a user message or system message', last.at)]
  if (last.role !== 'assistant' || isPrefix(last)) return []
  const message = 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant'
  return [refuse('mi-last', message, last.at)]
}

const followers: Record<string, string[] | undefined> = {
  system: ['user', 'assistant', 'system'],
  user: ['assistant', 'system', 'user'],
  assistant: ['assistant', 'user', 'tool'],
  tool: ['assistant', 'tool'],
}

const order = (chat: Entry[]): Refusal[] =>
  chat.flatMap(({ role, at }, place) => {
    const before = place === 0 ? undefined : chat[place - 1].role
    if (before === undefined || !(role in followers) || followers[before]?.includes(role) !== false) return []
    return [refuse('mi-order', `Unexpected role '${role}' after role '${before}'`, at)]
  })

/** As many results as calls between two assistant messages. The first message is never counted. */
function counts(chat: Entry[]): Refusal[] {
  const found: Refusal[] = []
  const message = 'Not the same number of function calls and responses'
  let due = 0
  for (const { role, calls, at } of chat.slice(1)) {
    if (role === 'tool') due -= 1
    if (role !== 'assistant') continue
    if (due !== 0) found.push(refuse('mi-count', message, at))
    due = calls.length
  }
  if (due !== 0) found.push(refuse('mi-count', message, chat[chat.length - 1].at))
  return found
}

/** Since tokenizer 13 ids are matched too. Again the first message is skipped. */
function matches(chat: Entry[]): Refusal[] {
  const found: Refusal[] = []
  const expected = new Set<string | undefined>()
  const observed = new Set<string | undefined>()
  for (const { role, calls, answers, at } of chat.slice(1)) {
    if (role === 'tool') {
      if (observed.has(answers))
        found.push(refuse('mi-v13-dup-result', `Duplicate tool call id ${answers} in tool results`, at))
      else if (!expected.has(answers))
        found.push(refuse('mi-v13-unexpected', `Unexpected tool call id ${answers} in tool results`, at))
      observed.add(answers)
    }
    if (role !== 'assistant') continue
    expected.clear()
    observed.clear()
    for (const { id, at } of calls) {
      if (expected.has(id))
        found.push(refuse('mi-v13-dup-call', `Duplicate tool call id ${id} in assistant message`, at))
      expected.add(id)
    }
  }
  return found
}

function content(entry: Entry, isLast: boolean): Refusal[] {
  const { role, calls, answers, wire, at } = entry
  if (role === 'tool') return [...idForm(answers, 'Tool call id has to be defined.', at), ...nameForm(wire.name, at)]
  if (role !== 'assistant') return []
  const found = calls.flatMap(({ id, name, at }) => [
    ...idForm(id, 'Tool call id has to be defined in serving mode.', at),
    ...nameForm(name, at),
  ])
  if (isEmpty(entry))
    found.push(refuse('mi-none', 'Assistant message must have either content or tool_calls, but not none.', at))
  if (isPrefix(entry) && !isLast)
    found.push(refuse('mi-prefix', 'Assistant message with prefix True must be last message', at))
  return found
}

function idForm(id: string | undefined, missingText: string, at: string): Refusal[] {
  if (id === undefined || id === 'null') return [refuse('mi-id-missing', missingText, at)]
  if (/^[a-zA-Z0-9]{9}$/.test(id)) return []
  return [refuse('mi-id', `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`, at)]
}

function nameForm(name: unknown, at: string): Refusal[] {
  if (name === undefined || name === null || /^[a-zA-Z0-9_-]{1,64}$/.test(String(name))) return []
  const message = `Function name was ${name} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.`
  return [refuse('mi-name', message, at)]
}

const systemContent = ({ role, wire, at }: Entry): Refusal[] =>
  role === 'system' && (wire.content === null || wire.content === undefined)
    ? [refuse('mi-system-null', 'System prompt must have content', at)]
    : []
