import { codePoints } from '../../judge/code-points.ts'
import type { HistoryEntry } from '../../judge/entry.ts'
import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { Validator } from '../../judge/validator.ts'

/** What all of Mistral's chat templates reject. None of them checks pairs. */
export const validateMistralTemplate: Validator = chat => [
  ...newAlternation(chat),
  ...lateSystems(chat),
  ...chat.filter(isForeign).map(({ at }) => reject('tp-roles-only', rolesText, at)),
  ...chat.flatMap(ids),
]

/** The chat templates of Mistral 7B and Nemo. */
export const oldMistralTemplate: Validator = chat => {
  const spoken = chat[0]?.role === 'system' ? chat.slice(1) : chat
  return [
    ...alternation(
      spoken.filter(({ role, calls }) => role !== 'tool' && calls.length === 0),
      at => reject('tp-alt-mistral-old', oldText, at),
    ),
    ...spoken.flatMap(entry => [
      ...ids(entry),
      ...(isForeign(entry) || entry.role === 'system' ? [reject('tp-roles-only', rolesText, entry.at)] : []),
    ]),
  ]
}

/** The chat templates of Devstral 2, Ministral 3 and Mistral Small 3. */
export const newMistralTemplate: Validator = chat => [
  ...newAlternation(chat),
  ...lateSystems(chat),
  ...chat
    .filter(isForeign)
    .map(({ role, at }) =>
      reject('tp-roles-new', `Only user, assistant and tool roles are supported, got ${role}.`, at),
    ),
]

const oldText = 'After the optional system message, conversation roles must alternate user/assistant/user/assistant/...'
const newText =
  'After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.'
const rolesText =
  'Only user and assistant roles are supported, with the exception of an initial optional system message!'

/** Every second one is the user's, beginning with the first. */
const alternation = (counted: HistoryEntry[], object: (at: string) => RejectionReason): RejectionReason[] =>
  counted.flatMap(({ role, at }, place) => ((role === 'user') === (place % 2 === 0) ? [] : [object(at)]))

/** Users and assistants without calls alternate; other messages do not count. */
const newAlternation = (chat: HistoryEntry[]): RejectionReason[] =>
  alternation(
    chat.filter(({ role, calls }) => role === 'user' || (role === 'assistant' && calls.length === 0)),
    at => reject('tp-alt-mistral-new', newText, at),
  )

const lateSystems = (chat: HistoryEntry[]): RejectionReason[] =>
  chat.slice(1).flatMap(({ role, at }) => (role === 'system' ? [reject('tp-alt-mistral-new', newText, at)] : []))

const isForeign = ({ role }: HistoryEntry): boolean => !['user', 'assistant', 'tool', 'system'].includes(role)

const ids = ({ role, calls, answers, at }: HistoryEntry): RejectionReason[] =>
  [...calls, ...(role === 'tool' ? [{ id: answers, at }] : [])]
    .filter(({ id }) => id === undefined || codePoints(id) !== 9)
    .map(({ at }) => reject('tp-id9', 'Tool call IDs should be alphanumeric strings with length 9!', at))
