import { hasClientCall, type Message } from '../../conversation.ts'
import { mergeMessages } from '../../merge-messages.ts'
import { sharesWith } from '../../sharing.ts'
import { defineRule, type Page } from '../rule.ts'

export const brokenAlternation = defineRule({
  id: 'broken-alternation',
  appliesTo: (facts, format) =>
    facts.consecutiveUsers === 'refuse' ||
    facts.consecutiveAssistants !== 'accept' ||
    (facts.textAfterResults === 'refuse' && format.shares),
  check(context, report) {
    const { messages, facts } = context
    for (let start = 0; start < messages.length; start++) {
      const first = messages[start]
      const role = first?.role
      const refused =
        (role === 'user' && facts.consecutiveUsers === 'refuse') ||
        (role === 'assistant' && facts.consecutiveAssistants !== 'accept')
      if (!first || !refused) continue
      const second = messages[start + 1]
      if (second?.role !== role) continue
      let end = start + 1
      while (messages[end + 1]?.role === role) end++
      const run: Message[] = messages.slice(start, end + 1)
      start = end
      if (role === 'assistant' && facts.consecutiveAssistants === 'refuse-calls' && !run.slice(1).some(hasClientCall))
        continue
      report({
        message: second,
        text: `${run.length} ${role} messages follow each other`,
        fix: {
          title: 'make them one message',
          class: 'lossless',
          apply: draft => {
            draft.update(first.key, () => mergeMessages(run))
            for (const message of run.slice(1)) draft.remove(message.key)
          },
        },
      })
    }
    if (facts.textAfterResults === 'accept' || !context.format.shares) return
    for (let position = 1; position < messages.length; position++) {
      const message = messages[position]
      const before = messages[position - 1]
      if (!before || !message || !isMixed(before, message) || sharesWith(before, message)) continue
      report({
        message,
        text: 'results and user content follow each other in two messages',
        fix: {
          title: 'merge them',
          class: 'lossless',
          apply: draft => draft.update(message.key, now => ({ ...now, sharing: 'together' })),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'Two messages of one role follow each other.',
  why: 'The provider requires user and assistant messages to alternate, or a message with calls to follow a user message or results.',
  fix: 'They become one message, in order. Results and user content that follow each other are merged.',
}

const isMixed = (before: Message, { role }: Message): boolean =>
  (before.role === 'tool' && role === 'user') || (before.role === 'user' && role === 'tool')
