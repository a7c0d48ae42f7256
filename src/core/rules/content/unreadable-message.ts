import { defineRule, type Page } from '../rule.ts'

export const unreadableMessage = defineRule({
  id: 'unreadable-message',
  severity: 'warning',
  check(context, report) {
    for (const message of context.messages) {
      if (message.role === 'other' && message.parts.length === 0)
        report({ message, text: 'this message cannot be read', help: fix })
    }
  },
})

const fix = 'None: the message stays as it is, in its place.'

export const page: Page = {
  summary: 'A message cannot be read.',
  why: 'Its form is unknown: it may be new or damaged. It is left as it is, and whether the provider accepts it is unknown.',
  fix,
}
