import { defineRule, type Page } from '../rule.ts'

export const emptyCalls = defineRule({
  id: 'empty-calls',
  appliesTo: facts => facts.emptyCalls === 'refuse',
  check(context, report) {
    for (const message of context.messages) {
      if (!message.emptyCalls) continue
      report({
        message,
        text: 'the list of calls is empty',
        fix: {
          title: 'remove the list',
          class: 'lossless',
          apply: draft => draft.update(message.key, ({ emptyCalls: _, ...now }) => now),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A message has an empty list of calls.',
  why: 'The list must have at least one call or be absent.',
  fix: 'The empty list is removed.',
}
