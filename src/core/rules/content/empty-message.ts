import type { Message, OtherPart, Part, Wire } from '../../conversation.ts'
import type { Facts } from '../../dialect.ts'
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
      facts.emptyMessage === 'refuse-null' && (hasReasoning(message) || message.beside !== undefined)
    const empty = messages.filter(message => isEmpty(message, facts, wire) && !isOpening(message))
    const isAll = empty.length === messages.length && !scene.cutBefore && !scene.cutAfter && !empty.some(stays)
    const spared = isAll ? (empty.findLast(message => message.role === 'user') ?? empty.at(-1)) : undefined
    for (const message of empty) {
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
  message.parts.some(part => part.kind === 'reasoning' && part.text !== '')

/** Whether something is lost with it, though no reader takes it as content. */
const saysMore = (message: Message): boolean =>
  message.beside !== undefined || hasReasoning(message) || message.parts.some(part => part.kind === 'other')

/** A message of another role gives way to a new one: its fields do not fit the user. */
function speak(draft: Draft, { key, role }: Message): void {
  const parts: Part[] = [{ kind: 'text', text: bridgeTexts.user }]
  if (role === 'user') draft.update(key, ({ blank: _, ...now }) => ({ ...now, parts }))
  else {
    draft.insert(draft.before(key), { role: 'user', parts })
    draft.remove(key)
  }
}

function isEmpty(message: Message, facts: Facts, wire: Wire): boolean {
  if (message.role === 'tool' || message.role === 'other' || message.directive) return false
  let texts = 0
  // Without the message two of the user would follow each other.
  const isNeeded = facts.unsignedThinking === 'refuse' && facts.consecutiveUsers === 'refuse'
  for (const part of message.parts) {
    if (part.kind === 'reasoning' && (wire.reasoning === 'field' || (part.unsent && isNeeded))) continue
    if (part.kind === 'other' && isLeftOut(part, facts)) continue
    if (part.kind !== 'text') return false
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
