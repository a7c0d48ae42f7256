import type { Message } from '../../conversation.ts'
import { front } from '../../edit.ts'
import { bridgeTexts } from '../../placeholder.ts'
import { defineRule, type Page, sentMessages } from '../rule.ts'

export const missingUser = defineRule({
  id: 'missing-user',
  check(context, report) {
    const { messages, choices, facts } = context
    const last = messages.at(-1)
    if (context.cutBefore || context.cutAfter || context.continues || choices.pending !== 'answer') return
    if (!context.emptied && (facts.noUser === 'accept' || messages.every(({ role }) => role === 'other'))) return
    const isEnough = ({ role }: Message): boolean =>
      role === 'user' || (facts.noUser === 'refuse-system-only' && role !== 'system')
    const sent = sentMessages(context)
    if (sent.some(isEnough)) return
    report({
      ...(last && { message: last }),
      text: last ? 'there is no user message' : 'no message is left',
      fix: {
        title: 'add a short user message at the end',
        class: 'synthetic',
        apply: draft => {
          draft.insert(sent.at(-1)?.key ?? front, { role: 'user', parts: [{ kind: 'text', text: bridgeTexts.user }] })
        },
      },
    })
  },
})

export const page: Page = {
  summary: 'There is no user message.',
  why: 'Providers reject a request without any message, and some reject one without a user message or with system messages only.',
  fix: 'A short user message is added at the end: "(continue)".',
}
