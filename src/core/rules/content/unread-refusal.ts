import { blankOf, hasClientCall, isRecord, type Message, type Part } from '../../conversation.ts'
import { defineRule, type Page, type RuleContext } from '../rule.ts'

export const unreadRefusal = defineRule({
  id: 'unread-refusal',
  appliesTo: facts => facts.refusalField === 'refuse',
  check(context, report) {
    for (const message of context.messages) {
      if (message.role !== 'assistant') continue
      const part = message.parts.find(part => refusalText(part) !== undefined && isLost(part, message, context))
      if (!part) continue
      report({
        message,
        part,
        text: 'the text of a refusal is not in the content',
        fix: {
          title: 'make it the content',
          class: 'lossless',
          apply: draft =>
            draft.update(message.key, ({ blank: _, ...now }) => ({
              ...now,
              parts: now.parts.map(part => {
                const text = refusalText(part)
                return text === undefined ? part : { kind: 'text', text }
              }),
            })),
        },
      })
    }
  },
})

export const page: Page = {
  summary:
    'The assistant refused, and the text of the refusal is in a field or a block that the provider does not read.',
  why: 'Few providers know `refusal`. Any other sees a message without content and rejects it.',
  fix: 'The text becomes the content.',
}

/** The text of a refusal: a field of the message, or a block of its content. */
function refusalText(part: Part): string | undefined {
  if (part.kind !== 'other') return undefined
  const { field, raw } = part
  const text = field === 'refusal' ? raw : isRecord(raw) && raw.type === 'refusal' ? raw.refusal : undefined
  return typeof text === 'string' ? text : undefined
}

/** A refusal field next to content or calls is not needed: the provider has something to read. */
function isLost({ raw }: Part, message: Message, { facts }: RuleContext): boolean {
  if (typeof raw !== 'string') return true
  const blank = hasClientCall(message) ? undefined : blankOf(message)
  return blank === 'empty' ? /empty|blank/.test(facts.emptyMessage) : blank !== undefined
}
