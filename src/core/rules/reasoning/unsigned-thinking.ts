import type { Part } from '../../conversation.ts'
import { dropParts } from '../../edit.ts'
import { defineRule, type Page } from '../rule.ts'

export const unsignedThinking = defineRule({
  id: 'unsigned-thinking',
  appliesTo: (facts, wire) => facts.unsignedThinking !== 'accept' && wire.reasoning !== 'items' && wire.ordered,
  check(scene, report) {
    const isTaken = scene.facts.unsignedThinking !== 'refuse-all'
    for (const message of scene.messages) {
      const foreign: Part[] = message.parts.filter(
        part => part.kind === 'reasoning' && !(isTaken && part.signed && message.role === 'assistant'),
      )
      if (foreign.length === 0) continue
      report({
        message,
        part: foreign[0],
        text: !isTaken
          ? 'this model takes no thinking back'
          : message.role === 'assistant'
            ? 'thinking has no signature'
            : `thinking stands in a ${message.role} message`,
        fix: { title: 'leave the block out', class: 'lossy', apply: draft => dropParts(draft, message.key, foreign) },
      })
    }
  },
})

export const page: Page = {
  summary:
    'Thinking has no signature, or stands where only a user speaks, or is given back to a model that takes none.',
  why: 'It comes from another model or lost its proof on the way, and a provider that demands the proof rejects it. Few models take none back at all.',
  fix: 'The block goes; a signature cannot be made up.',
}
