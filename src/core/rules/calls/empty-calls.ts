import { defineRule, type Page } from '../rule.ts'

export const emptyCalls = defineRule({
  id: 'empty-calls',
  appliesTo: facts => facts.emptyCalls === 'refuse',
  check(scene, report) {
    for (const message of scene.messages) {
      if (!message.emptyCalls) continue
      report({
        message,
        text: 'the list of calls is empty',
        fix: {
          title: 'leave the list out',
          class: 'lossless',
          apply: draft => draft.update(message.key, ({ emptyCalls: _, ...now }) => now),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A message has a list of calls with nothing in it.',
  why: 'The list must have at least one call, or not be there.',
  fix: 'The empty list goes.',
}
