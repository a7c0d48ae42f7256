import { bridgeTexts } from '../../placeholder.ts'
import { defineRule, type Page } from '../rule.ts'

export const forbiddenFollower = defineRule({
  id: 'forbidden-follower',
  appliesTo: facts => facts.userAfterResult === 'refuse',
  check(context, report) {
    const { messages } = context
    for (let position = 1; position < messages.length; position++) {
      const before = messages[position - 1]
      const message = messages[position]
      if (message?.role !== 'user' || before?.role !== 'tool') continue
      report({
        message,
        text: 'a user message follows a result directly',
        fix: {
          title: 'insert a short assistant message between them',
          class: 'synthetic',
          apply: draft => {
            draft.insert(before.key, { role: 'assistant', parts: [{ kind: 'text', text: bridgeTexts.assistant }] })
          },
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A user message follows a result directly.',
  why: 'The provider requires an assistant message between them.',
  fix: 'A short assistant message is inserted between them: "(no reply was recorded)".',
}
