import { messageText } from '../../conversation.ts'
import { mergeMessages } from '../../merge-messages.ts'
import { defineRule, type Page } from '../rule.ts'

export const repeatedSystem = defineRule({
  id: 'repeated-system',
  appliesTo: (facts, format) => facts.systems === 'one' && format.system === 'message',
  check(context, report) {
    const { messages } = context
    let lead = 0
    while (messages[lead]?.role === 'system') lead++
    const [first, second] = messages
    if (lead < 2 || !first || !second) return
    const seen = new Set<string>()
    const distinct = messages.slice(0, lead).filter(message => {
      const text = messageText(message)
      const isNew = !seen.has(text)
      seen.add(text)
      return isNew || message.parts.some(part => part.kind !== 'text')
    })
    report({
      message: second,
      text: `there are ${lead} system messages at the beginning`,
      fix: {
        title: distinct.length > 1 ? 'join them in order' : 'keep one of the equal messages',
        class: 'lossless',
        apply: draft => {
          if (distinct.length > 1) draft.update(first.key, () => mergeMessages(distinct))
          for (const message of messages.slice(1, lead)) draft.remove(message.key)
        },
      },
    })
  },
})

export const page: Page = {
  summary: 'There is more than one system message.',
  why: 'The provider accepts only one.',
  fix: 'Equal messages are removed, others are joined in order.',
}
