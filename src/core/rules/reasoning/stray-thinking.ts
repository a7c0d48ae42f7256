import type { Part } from '../../conversation.ts'
import { dropParts } from '../../edit.ts'
import { openSteps } from '../../pairing/open-steps.ts'
import { rejectsThinking } from '../../settings-agree.ts'
import { defineRule, type Page } from '../rule.ts'

export const strayThinking = defineRule({
  id: 'stray-thinking',
  appliesTo: (facts, format) => facts.thinkingSetting !== 'free' && format.reasoning === 'blocks',
  check(context, report) {
    if (!rejectsThinking(context.settings?.thinking, context.facts)) return
    for (const message of openSteps(context)) {
      const stray: Part[] = message.parts.filter(part => part.kind === 'reasoning')
      const [first] = stray
      if (!first) continue
      report({
        message,
        part: first,
        text: 'thinking is disabled, and the open step contains thinking',
        fix: { title: 'remove it', class: 'lossy', apply: draft => dropParts(draft, message.key, stray) },
      })
    }
  },
})

export const page: Page = {
  summary: 'Thinking is disabled, and the open step contains thinking.',
  why: 'The setting was changed while the tools ran, and the provider accepts thinking only if it is enabled.',
  fix: 'The thinking of the open steps is removed. Thinking of earlier turns stays.',
}
