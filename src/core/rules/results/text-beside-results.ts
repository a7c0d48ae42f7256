import { sharesWith } from '../../sharing.ts'
import { defineRule, type Page } from '../rule.ts'

export const textBesideResults = defineRule({
  id: 'text-beside-results',
  appliesTo: (facts, format) => facts.textBesideResults === 'refuse' && format.shares,
  check(context, report) {
    const { messages } = context
    for (let position = 1; position < messages.length; position++) {
      const message = messages[position]
      const before = messages[position - 1]
      if (message?.role !== 'user' || before?.role !== 'tool' || !sharesWith(before, message)) continue
      report({
        message,
        text: 'user content is next to results',
        fix: {
          title: 'move it to a separate message',
          class: 'lossless',
          apply: draft => draft.update(message.key, now => ({ ...now, sharing: 'apart' })),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'User content is in the message that holds the results.',
  why: 'Some providers accept a message with results only if it has nothing else.',
  fix: 'The content moves to a separate message, directly after.',
}
