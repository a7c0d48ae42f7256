import {
  type Format,
  isAside,
  isRoleOnly,
  joinsUser,
  type Message,
  type Part,
  type ReasoningPart,
} from '../../conversation.ts'
import { type Facts, isSentForSignature, isUnsigned } from '../../dialect.ts'
import type { Draft } from '../../edit.ts'
import { bridgeTexts } from '../../placeholder.ts'
import { defineRule, isForOtherProvider, isUnknownToSdk, type Page } from '../rule.ts'

export const emptyMessage = defineRule({
  id: 'empty-message',
  appliesTo: facts => facts.emptyMessage !== 'accept',
  check(context, report) {
    const { messages, facts, format } = context
    const isLast = (message: Message): boolean => !context.cutAfter && message === messages[messages.length - 1]
    const isOpening = (message: Message): boolean =>
      facts.emptyMessage === 'refuse-blank' &&
      facts.emptyLast === 'accept' &&
      message.role === 'assistant' &&
      message.blank !== 'null' &&
      message.parts.every(part => isIgnored(part, facts)) &&
      isLast(message)
    const stays = (message: Message): boolean =>
      facts.emptyMessage === 'refuse-null' &&
      (hasReasoning(message) || (message.unreadFields !== undefined && format.namesItems !== true))
    const empty = messages.filter(
      (message, index) =>
        (isEmpty(message, facts, format) && !isOpening(message)) ||
        (isRoleOnly(message) && (facts.roleOnlyUser === 'refuse' || (facts.roleOnlyUser && isAlone(messages, index)))),
    )
    const isSilent = (message: Message): boolean =>
      isEmpty({ ...message, parts: message.parts.filter(part => !isAside(part)) }, facts, format)
    const isAll = !context.cutBefore && !context.cutAfter && !empty.some(stays) && messages.every(isSilent)
    const spared = isAll ? (messages.findLast(message => message.role === 'user') ?? messages.at(-1)) : undefined
    for (const message of spared && !empty.includes(spared) ? [...empty, spared] : empty) {
      if (message === spared || (message.role === 'user' && message.parts.some(isOther))) {
        report({
          message,
          text: message === spared ? 'no message has any content' : 'nothing of the user message is sent',
          fix: {
            title: `let the user say "${bridgeTexts.user}"`,
            class: message.unreadFields && message.role !== 'user' ? 'lossy' : 'synthetic',
            apply: draft => replaceByText(draft, message),
          },
        })
      } else if (stays(message)) {
        report({
          message,
          text: `a message with ${message.unreadFields ? Object.keys(message.unreadFields).join(', ') : 'reasoning'} has no content`,
          fix: {
            title: 'make the content an empty string',
            class: 'lossless',
            apply: draft => draft.update(message.key, now => ({ ...now, blank: 'empty' })),
          },
        })
      } else {
        report({
          message,
          text: `the ${message.role} message has no content`,
          fix: {
            title: 'remove the message',
            class: losesContent(message) ? 'lossy' : 'lossless',
            apply: draft => draft.remove(message.key),
          },
        })
      }
    }
  },
})

export const page: Page = {
  summary: 'A message has no content.',
  why: 'Providers reject it, and it carries no information.',
  fix: 'The message is removed. If nothing else is left, it becomes a user message that says "(continue)". A user message whose parts a library does not send gets this text too, and keeps its parts.',
}

const hasReasoning = (message: Message): boolean =>
  message.parts.some(part => part.kind === 'reasoning' && (part.text !== '' || part.signedBy !== undefined))

/** Whether information is lost with it, although no provider treats it as content. */
const losesContent = (message: Message): boolean =>
  message.unreadFields !== undefined || hasReasoning(message) || message.parts.some(isOther)

const isOther = (part: Part): boolean => part.kind === 'other'

/**
 * A message of another role is replaced by a new user message, since its fields do not fit that role, unless a client
 * displays part of it.
 */
function replaceByText(draft: Draft, { key, role, parts: before }: Message): void {
  const parts: Part[] = [{ kind: 'text', text: bridgeTexts.user }]
  if (role === 'user')
    draft.update(key, ({ blank: _, ...now }) => ({ ...now, parts: [...before.filter(isOther), ...parts] }))
  else {
    draft.insert(draft.before(key), { role: 'user', parts })
    if (!before.some(isAside)) draft.remove(key)
  }
}

/** An unfinished call. */
const isCall = (part: Part): boolean => part.kind === 'other' && part.unsent === 'call'

/** Whether an SDK joins a user message with no other. The first of several empty ones counts as alone. */
function isAlone(messages: readonly Message[], index: number): boolean {
  const before = messages[index - 1]
  return before?.role !== 'user' && before?.role !== 'tool' && !joinsUser(messages[index + 1])
}

function isEmpty(message: Message, facts: Facts, format: Format): boolean {
  const { role, parts, unreadFields } = message
  if (
    role === 'tool' ||
    role === 'other' ||
    message.directive ||
    facts.sentFields?.some(field => unreadFields?.[field])
  )
    return false
  let texts = 0
  // With one of these parts the message is sent, although the SDK omits the part itself.
  const isSent = parts.some(part => (part.kind === 'reasoning' ? isUnsigned(part, facts) : isIgnored(part, facts)))
  for (const part of parts) {
    if (part.kind === 'reasoning' && (isField(part, facts, format) || isUnsigned(part, facts))) continue
    if (isCall(part) || isIgnored(part, facts)) continue
    // Content that only the client displays is kept, unless the provider needs a message in its place.
    if (isAside(part) && (isSent || (role === 'assistant' && facts.userAfterResult === 'refuse'))) continue
    if (part.kind !== 'text' || isSentForSignature(part, facts)) return false
    if ((facts.emptyMessage === 'refuse-blank' ? part.text.trim() : part.text) !== '') return false
    texts++
  }
  if (facts.emptyMessage === 'refuse-null') return texts === 0 && message.blank !== 'empty'
  return true
}

/** Whether reasoning does not count as content. */
const isField = (part: ReasoningPart, facts: Facts, { reasoning }: Format): boolean =>
  reasoning === 'field' && !(part.block && facts.sentBlocks && !isUnknownToSdk(part, facts))

/** Whether an SDK omits a part and sends the message without it. */
const isIgnored = (part: Part, facts: Facts): boolean =>
  part.kind === 'other' &&
  ((part.file !== undefined && facts.files === 'ignored') ||
    (facts.unsignedParts !== undefined && isForOtherProvider(part, facts)) ||
    isUnknownToSdk(part, facts))
