import type { Message, OtherPart, Part, Wire } from '../../conversation.ts'
import { type Facts, isSentWordless, isUnsigned } from '../../dialect.ts'
import type { Draft } from '../../edit.ts'
import { bridgeTexts } from '../../placeholder.ts'
import { defineRule, type Page } from '../rule.ts'

export const emptyMessage = defineRule({
  id: 'empty-message',
  appliesTo: facts => facts.emptyMessage !== 'accept',
  check(scene, report) {
    const { messages, facts, wire } = scene
    const isLast = (message: Message): boolean => !scene.cutAfter && message === messages[messages.length - 1]
    const isOpening = (message: Message): boolean =>
      facts.emptyMessage === 'refuse-blank' &&
      facts.emptyLast === 'accept' &&
      message.role === 'assistant' &&
      message.parts.length === 0 &&
      isLast(message)
    const stays = (message: Message): boolean =>
      facts.emptyMessage === 'refuse-null' &&
      (hasReasoning(message) || (message.beside !== undefined && wire.namesItems !== true))
    const empty = messages.filter(message => isEmpty(message, facts, wire) && !isOpening(message))
    const isSilent = (message: Message): boolean =>
      isEmpty({ ...message, parts: message.parts.filter(part => !isAside(part)) }, facts, wire)
    const isAll = !scene.cutBefore && !scene.cutAfter && !empty.some(stays) && messages.every(isSilent)
    const spared = isAll ? (messages.findLast(message => message.role === 'user') ?? messages.at(-1)) : undefined
    for (const message of spared && !empty.includes(spared) ? [...empty, spared] : empty) {
      if (message === spared) {
        report({
          message,
          text: 'no message has any content',
          fix: {
            title: `let the user say "${bridgeTexts.user}"`,
            class: message.beside && message.role !== 'user' ? 'lossy' : 'synthetic',
            apply: draft => speak(draft, message),
          },
        })
      } else if (stays(message)) {
        report({
          message,
          text: `a message with ${message.beside ? Object.keys(message.beside).join(', ') : 'reasoning'} has no content`,
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
            class: saysMore(message) ? 'lossy' : 'lossless',
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
  fix: 'The message is removed. If nothing else is left, it becomes a user message that says "(continue)".',
}

const hasReasoning = (message: Message): boolean =>
  message.parts.some(part => part.kind === 'reasoning' && (part.text !== '' || part.signedBy !== undefined))

/** Whether something is lost with it, though no reader takes it as content. */
const saysMore = (message: Message): boolean =>
  message.beside !== undefined || hasReasoning(message) || message.parts.some(part => part.kind === 'other')

/** A message of another role gives way to a new one, unless a client shows something of it: its fields do not fit the user. */
function speak(draft: Draft, { key, role, parts: before }: Message): void {
  const parts: Part[] = [{ kind: 'text', text: bridgeTexts.user }]
  const shown = before.filter(isAside)
  if (role === 'user') draft.update(key, ({ blank: _, ...now }) => ({ ...now, parts: [...shown, ...parts] }))
  else {
    draft.insert(draft.before(key), { role: 'user', parts })
    if (shown.length === 0) draft.remove(key)
  }
}

/** What only a client shows. */
const isAside = (part: Part): boolean => part.kind === 'other' && part.unsent === 'aside'

function isEmpty(message: Message, facts: Facts, wire: Wire): boolean {
  if (message.role === 'tool' || message.role === 'other' || message.directive) return false
  let texts = 0
  // Reasoning makes it a message that is sent, though nothing is left of it.
  const isSent = message.parts.some(part => part.kind === 'reasoning' && isUnsigned(part, facts))
  for (const part of message.parts) {
    if (part.kind === 'reasoning' && (wire.reasoning === 'field' || isUnsigned(part, facts))) continue
    if ((part.kind === 'other' && isLeftOut(part, facts)) || (isSent && isAside(part))) continue
    if (part.kind !== 'text' || isSentWordless(part, facts)) return false
    if ((facts.emptyMessage === 'refuse-blank' ? part.text.trim() : part.text) !== '') return false
    texts++
  }
  if (facts.emptyMessage === 'refuse-null') return texts === 0 && message.blank !== 'empty'
  return true
}

/** Whether an SDK leaves a part out. What only a client shows is kept, unless the message in its place is needed. */
const isLeftOut = ({ unsent, file }: OtherPart, { userAfterResult, assistantFiles }: Facts): boolean =>
  unsent === 'call' ||
  (unsent === 'aside' && userAfterResult === 'refuse') ||
  (file !== undefined && assistantFiles === 'ignored')
