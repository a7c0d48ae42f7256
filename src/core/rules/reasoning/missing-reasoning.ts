import { hasClientCall } from '../../conversation.ts'
import { bridgeTexts } from '../../placeholder.ts'
import { defineRule, type Page } from '../rule.ts'

export const missingReasoning = defineRule({
  id: 'missing-reasoning',
  appliesTo: (facts, format) => facts.missingReasoning === 'refuse' && format.reasoning !== 'blocks',
  check(context, report) {
    for (const message of context.messages) {
      if (message.role !== 'assistant' || !hasClientCall(message)) continue
      if (message.parts.some(part => part.kind === 'reasoning')) continue
      report({
        message,
        text: 'a message with calls has no reasoning',
        fix: {
          title: 'add a placeholder for the reasoning',
          class: 'synthetic',
          apply: draft =>
            draft.update(message.key, now => ({
              ...now,
              parts: [{ kind: 'reasoning', text: bridgeTexts.reasoning, signed: false }, ...now.parts],
            })),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'An assistant message with calls has lost its reasoning.',
  why: 'In thinking mode the provider requires the reasoning of every step.',
  fix: 'A placeholder says that no reasoning was recorded. Existing reasoning is never changed.',
}
