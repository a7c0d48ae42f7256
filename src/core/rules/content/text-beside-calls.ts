import { hasClientCall, type Part } from '../../conversation.ts'
import { bridgeTexts } from '../../placeholder.ts'
import { defineRule, type Page } from '../rule.ts'

export const textBesideCalls = defineRule({
  id: 'text-beside-calls',
  appliesTo: facts => facts.textBesideCalls === 'refuse',
  check(context, report) {
    for (const message of context.messages) {
      if (message.role !== 'assistant' || !hasClientCall(message)) continue
      const texts: Part[] = message.parts.filter(part => part.kind === 'text')
      const [first] = texts
      if (!first) continue
      report({
        message,
        part: first,
        text: 'text and calls are in one message',
        fix: {
          title: 'move the text to a separate message, with a short user message between them',
          class: 'synthetic',
          apply: draft => {
            const place = draft.insert(draft.before(message.key), { role: 'assistant', parts: texts })
            draft.insert(place, { role: 'user', parts: [{ kind: 'text', text: bridgeTexts.user }] })
            draft.update(message.key, now => ({ ...now, parts: now.parts.filter(part => part.kind !== 'text') }))
          },
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'Text and calls are in one assistant message.',
  why: 'Some models accept a message with calls only if it has nothing else, although they produce such messages themselves.',
  fix: 'The text becomes a separate message before the calls, with a short user message between the two: "(continue)".',
}
