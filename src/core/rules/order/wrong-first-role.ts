import { hasClientCall } from '../../conversation.ts'
import { front } from '../../edit.ts'
import { bridgeTexts } from '../../placeholder.ts'
import { defineRule, type Page, type RuleContext } from '../rule.ts'

export const wrongFirstRole = defineRule({
  id: 'wrong-first-role',
  appliesTo: facts => facts.firstAssistant !== 'accept',
  check(context, report) {
    const { messages } = context
    if (context.cutBefore || context.continues) return
    const index = messages.findIndex(message => message.role !== 'system' && message.role !== 'other')
    const message = messages[index]
    if (!message || message.role === 'user' || (message.role === 'tool' && context.format.shares)) return
    if (message.parts[0]?.kind === 'other' && message.parts[0].summary) return
    const { firstAssistant } = context.facts
    if (firstAssistant === 'refuse-calls' && index > 0) return
    if (firstAssistant !== 'refuse' && !callsFirst(context, index)) return
    report({
      message,
      text: `the first message has the role ${message.role}`,
      fix: {
        title: 'add a short user message at the beginning',
        class: 'synthetic',
        apply: draft => {
          draft.insert(messages[index - 1]?.key ?? front, {
            role: 'user',
            parts: [{ kind: 'text', text: bridgeTexts.user }],
          })
        },
      },
    })
  },
})

export const page: Page = {
  summary: 'The history does not start with a user message.',
  why: 'Its beginning was removed, and the provider requires a user message first. A summary of earlier turns made by the provider may also come first.',
  fix: 'A short user message is added at the beginning: "(continue)".',
}

/** Whether the first assistant message has calls; adjacent items are one message. */
function callsFirst({ messages, format }: RuleContext, index: number): boolean {
  let end = index + 1
  if (format.reasoning === 'items') while (messages[end]?.role === 'assistant') end++
  return messages.slice(index, end).some(hasClientCall)
}
