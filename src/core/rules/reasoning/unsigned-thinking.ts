import type { Part } from '../../conversation.ts'
import { dropParts } from '../../edit.ts'
import { defineRule, type Page } from '../rule.ts'

export const unsignedThinking = defineRule({
  id: 'unsigned-thinking',
  appliesTo: (facts, { reasoning, signsItems, ordered }) =>
    facts.unsignedThinking !== 'accept' && (reasoning !== 'items' || signsItems === true) && ordered,
  check(context, report) {
    const isTaken = context.facts.unsignedThinking !== 'refuse-all'
    for (const message of context.messages) {
      const foreign: Part[] = message.parts.filter(
        part => part.kind === 'reasoning' && !(isTaken && part.signed && message.role === 'assistant'),
      )
      const [first] = foreign
      if (!first) continue
      report({
        message,
        part: first,
        text: !isTaken
          ? 'this model rejects thinking in the history'
          : message.role === 'assistant'
            ? 'thinking has no signature'
            : `thinking is in a ${message.role} message`,
        fix: { title: 'remove the block', class: 'lossy', apply: draft => dropParts(draft, message.key, foreign) },
      })
    }
  },
})

export const page: Page = {
  summary: 'Thinking has no signature, is in a user message, or is sent to a model that rejects thinking.',
  why: 'It comes from another model or lost its signature, and a provider that verifies signatures rejects it. A few models reject all thinking in the history.',
  fix: 'The block is removed; a signature cannot be made up.',
}
