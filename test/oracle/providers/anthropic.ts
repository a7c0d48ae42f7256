import { type Entry, isEmpty, textOf } from '../entry.ts'
import { type Refusal, refuse, refusePedantically } from '../refusal.ts'
import type { Validator } from '../validator.ts'
import { blockForms } from './anthropic-blocks.ts'
import { pairing } from './anthropic-pairing.ts'
import { serverTools } from './anthropic-server-tools.ts'
import { splitResults } from './anthropic-split.ts'
import { dotted } from './dotted.ts'

/** Anthropic Messages. Other wires are judged as their translation: system words leave the list, results are blocks. */
export const anthropic: Validator = (chat, { format, messages }) => {
  const talk = chat.filter(({ role }) => ['user', 'assistant', 'tool'].includes(role))
  const isHome = format === 'anthropic'
  return [
    ...ends(talk),
    ...pairing(talk),
    ...ids(talk),
    ...(isHome ? [...blockForms(messages), ...serverTools(messages), ...splitResults(messages)] : blankEntries(talk)),
  ]
}

function ends(talk: Entry[]): Refusal[] {
  if (talk.length === 0) return [refuse('an-empty-messages', 'messages: at least one message is required', 'messages')]
  const found: Refusal[] = []
  const [first, last] = [talk[0], talk[talk.length - 1]]
  if (first.role === 'assistant')
    found.push(refuse('an-first-user', 'messages: first message must use the "user" role', first.at))
  if (last.role === 'assistant' && last.calls.length === 0 && /\s$/.test(textOf(last))) {
    const message = 'messages: final assistant content cannot end with trailing whitespace'
    found.push(refuse('an-trailing-ws', message, last.at))
  }
  return found
}

/** The forms of ids, and that no call has the id of another. */
function ids(talk: Entry[]): Refusal[] {
  const found: Refusal[] = []
  const owners = new Map<string, Entry>()
  for (const entry of talk) {
    if (entry.answers !== undefined && !idForm.test(entry.answers))
      found.push(refuse('an-id-pattern', `${dotted(entry.at)}.tool_result.tool_use_id: ${patternText}`, entry.at))
    for (const { id, at } of entry.calls) {
      if (id === undefined) continue
      if (!idForm.test(id)) found.push(refuse('an-id-pattern', `${dotted(at)}.tool_use.id: ${patternText}`, at))
      const owner = owners.get(id)
      owners.set(id, owner ?? entry)
      const message = `${dotted(at)}: \`tool_use\` ids must be unique`
      if (owner?.index === entry.index) found.push(refuse('an-dup-use', message, at))
      else if (owner) found.push(refusePedantically('an-dup-use', message, at))
    }
  }
  return found
}

const idForm = /^[a-zA-Z0-9_-]+$/
const patternText = "String should match pattern '^[a-zA-Z0-9_-]+$'"

/** Empty and blank messages of another wire. A gateway leaves out empty text beside calls, but not blank text. */
const blankEntries = (talk: Entry[]): Refusal[] =>
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
