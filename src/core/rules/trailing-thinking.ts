import type { Part } from '../conversation.ts'
import { dropParts } from '../edit.ts'
import { defineRule, type Page } from '../rule.ts'

export const trailingThinking = defineRule({
  id: 'trailing-thinking',
  appliesTo: (facts, wire) => facts.trailingThinking === 'refuse' && wire.reasoning === 'blocks',
  check(scene, report) {
    const message = scene.cutAfter ? undefined : scene.messages.at(-1)
    if (message?.role !== 'assistant' || message.parts.at(-1)?.kind !== 'reasoning') return
    const last = message.parts.findLastIndex(part => part.kind !== 'reasoning')
    const trailing: Part[] = message.parts.slice(last + 1)
    report({
      message,
      part: trailing[0],
      text: 'the last message ends with thinking',
      fix: { title: 'leave the thinking out', class: 'lossy', apply: draft => dropParts(draft, message.key, trailing) },
    })
  },
})

export const page: Page = {
  summary: 'The last message ends with thinking.',
  why: 'The turn was cut before the model said anything, and a message must not end so.',
  fix: 'The thinking at the end goes.',
}
