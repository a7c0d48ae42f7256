import { dropParts } from '../../edit.ts'
import { defineRule, isUnsent, type Page, sentMessages } from '../rule.ts'

export const trailingThinking = defineRule({
  id: 'trailing-thinking',
  appliesTo: (facts, wire) =>
    facts.trailingThinking === 'refuse' && (wire.reasoning === 'blocks' || facts.sentBlocks !== undefined),
  check(scene, report) {
    const message = scene.cutAfter ? undefined : sentMessages(scene).at(-1)
    if (message?.role !== 'assistant') return
    const last = message.parts.findLastIndex(part => part.kind !== 'reasoning' && !isUnsent(part, scene.facts))
    const trailing = message.parts.slice(last + 1).filter(part => !isUnsent(part, scene.facts))
    if (trailing.length === 0) return
    report({
      message,
      part: trailing[0],
      text: 'the last message ends with thinking',
      fix: { title: 'remove the thinking', class: 'lossy', apply: draft => dropParts(draft, message.key, trailing) },
    })
  },
})

export const page: Page = {
  summary: 'The last message ends with thinking.',
  why: 'The turn was cut before the model said anything, and a message must not end with thinking.',
  fix: 'The thinking at the end is removed.',
}
