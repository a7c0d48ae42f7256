import type { Entry } from '../entry.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { Validator } from '../validator.ts'

/** The chat templates of Mistral Small 3, Ministral 3 and Devstral 2. They do not look at pairs. */
export const mistralTemplate: Validator = chat => [...alternation(chat), ...roles(chat), ...chat.flatMap(ids)]

const alternateText =
  'After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.'

/** Users and assistants without calls take turns, the user first; whatever else there is does not count. */
const alternation = (chat: Entry[]): Refusal[] =>
  chat
    .filter(({ role, calls }) => role === 'user' || (role === 'assistant' && calls.length === 0))
    .flatMap(({ role, at }, place, counted) => {
      const expected = counted[place - 1]?.role === 'user' ? 'assistant' : 'user'
      return role === expected ? [] : [refuse('tp-alt-mistral-new', alternateText, at)]
    })

const roles = (chat: Entry[]): Refusal[] =>
  chat.flatMap(({ role, at }, place) => {
    if (['user', 'assistant', 'tool'].includes(role)) return []
    if (role === 'system') return place === 0 ? [] : [refuse('tp-alt-mistral-new', alternateText, at)]
    const message =
      'Only user and assistant roles are supported, with the exception of an initial optional system message!'
    return [refuse('tp-roles-only', message, at)]
  })

const ids = ({ role, calls, answers, at }: Entry): Refusal[] =>
  [...calls, ...(role === 'tool' ? [{ id: answers, at }] : [])]
    .filter(({ id }) => id?.length !== 9)
    .map(({ at }) => refuse('tp-id9', 'Tool call IDs should be alphanumeric strings with length 9!', at))
