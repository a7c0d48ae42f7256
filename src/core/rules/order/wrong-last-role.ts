import type { Message } from '../../conversation.ts'
import { bridgeTexts } from '../../placeholder.ts'
import { defineRule, type Page } from '../rule.ts'

export const wrongLastRole = defineRule({
  id: 'wrong-last-role',
  appliesTo: facts => facts.lastAssistant === 'refuse',
  check(context, report) {
    const { messages, choices } = context
    if (context.cutAfter || context.settings?.reply === 'none') return
    const last = messages.findLast(message => message.role !== 'other')
    if (last?.role !== 'assistant' || last.prefix || choices.pending !== 'answer' || isPaused(last)) return
    if (context.waiting.size > 0) return
    report({
      message: last,
      text: 'the last message is an assistant message',
      fix: {
        title: 'add a short user message at the end',
        class: 'synthetic',
        apply: draft => {
          draft.insert((draft.messages.at(-1) as Message).key, {
            role: 'user',
            parts: [{ kind: 'text', text: bridgeTexts.user }],
          })
        },
      },
    })
  },
})

export const page: Page = {
  summary: 'The history ends with an assistant message.',
  why: 'The provider requires a message to answer.',
  fix: 'A short user message is added at the end: "(continue)". A paused turn, an approved call, a marked prefix and a request for a summary are left as they are.',
}

/** It has an open provider-run call. */
function isPaused(message: Message): boolean {
  const answered = new Set(message.parts.map(part => (part.kind === 'result' ? part.id : undefined)))
  return message.parts.some(part => part.kind === 'call' && part.by === 'provider' && !answered.has(part.id))
}
