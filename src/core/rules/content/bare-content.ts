import { defineRule, type Page } from '../rule.ts'

export const bareContent = defineRule({
  id: 'bare-content',
  appliesTo: (_, format) => format.listsContent === true,
  check({ messages }, report) {
    for (const message of messages) {
      if (!message.bare) continue
      report({
        message,
        text: 'the content is a string, not a list of blocks',
        fix: {
          title: 'put it into a block',
          class: 'lossless',
          apply: draft => draft.update(message.key, ({ bare: _, ...now }) => now),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'The content of a message is a string where the format requires a list of blocks.',
  why: 'Other formats accept both, and the message was written for one of them.',
  fix: 'The text becomes a block.',
}
