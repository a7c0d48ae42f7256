import { dropParts } from '../../edit.ts'
import { defineRule, isOmittedBySdk, type Page, sentMessages } from '../rule.ts'

export const trailingThinking = defineRule({
  id: 'trailing-thinking',
  appliesTo: (facts, format) =>
    facts.trailingThinking === 'refuse' && (format.reasoning === 'blocks' || facts.sentBlocks !== undefined),
  check(context, report) {
    const message = context.cutAfter ? undefined : sentMessages(context).at(-1)
    if (message?.role !== 'assistant') return
    const last = message.parts.findLastIndex(part => part.kind !== 'reasoning' && !isOmittedBySdk(part, context.facts))
    const trailing = message.parts.slice(last + 1).filter(part => !isOmittedBySdk(part, context.facts))
    const [first] = trailing
    if (!first) return
    report({
      message,
      part: first,
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
