import type { Message, TextPart } from '../../conversation.ts'
import { isSentForSignature } from '../../dialect.ts'
import { defineRule, type Page } from '../rule.ts'

export const blankText = defineRule({
  id: 'blank-text',
  appliesTo: facts => facts.blankText !== 'accept',
  check(context, report) {
    const blank = (part: TextPart): boolean =>
      (context.facts.blankText === 'refuse-blank' ? part.text.trim() : part.text) === '' &&
      !isSentForSignature(part, context.facts)
    for (const message of context.messages) {
      if (message.parts.length < 2) continue
      const kept = message.parts.filter(part => part.kind !== 'text' || !blank(part))
      if (kept.length === message.parts.length || kept.length === 0) continue
      report({
        message,
        part: message.parts.find(part => part.kind === 'text' && blank(part)) as TextPart,
        text: 'a text block is empty or blank',
        fix: {
          title: 'remove the block',
          class: 'lossless',
          apply: draft => draft.update(message.key, (now: Message) => ({ ...now, parts: kept })),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A text block is empty or blank.',
  why: 'Some providers reject text that is empty or only white space.',
  fix: 'The block is removed; the rest of the message stays.',
}
