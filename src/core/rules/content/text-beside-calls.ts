import { hasClientCall, type Part } from '../../conversation.ts'
import { bridgeTexts } from '../../placeholder.ts'
import { defineRule, type Page } from '../rule.ts'

export const textBesideCalls = defineRule({
  id: 'text-beside-calls',
  appliesTo: facts => facts.textBesideCalls === 'refuse',
  check(scene, report) {
    for (const message of scene.messages) {
      if (message.role !== 'assistant' || !hasClientCall(message)) continue
      const said: Part[] = message.parts.filter(part => part.kind === 'text')
      if (said.length === 0) continue
      report({
        message,
        part: said[0],
        text: 'text and calls are in one message',
        fix: {
          title: 'give the text a message of its own, and put a short user message between them',
          class: 'synthetic',
          apply: draft => {
            const place = draft.insert(draft.before(message.key), { role: 'assistant', parts: said })
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
  why: 'Some models take a message with calls only if nothing else is in it, although they write such messages themselves.',
  fix: 'The text becomes a message of its own before the calls, and a short user message stands between the two: "(continue)".',
}
