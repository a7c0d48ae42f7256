import type { Part } from '../../conversation.ts'
import { dropParts } from '../../edit.ts'
import { openSteps } from '../../pairing/open-steps.ts'
import { defineRule, type Page } from '../rule.ts'

export const strayThinking = defineRule({
  id: 'stray-thinking',
  appliesTo: (facts, wire) => facts.thinkingSetting !== 'free' && wire.reasoning === 'blocks',
  check(scene, report) {
    const thinking = scene.settings?.thinking
    if (thinking !== 'off' && (thinking !== 'unsaid' || scene.facts.thinkingSetting !== 'strict')) return
    for (const message of openSteps(scene)) {
      const stray: Part[] = message.parts.filter(part => part.kind === 'reasoning')
      if (stray.length === 0) continue
      report({
        message,
        part: stray[0],
        text: 'the open step has thinking, which is switched off',
        fix: { title: 'leave it out', class: 'lossy', apply: draft => dropParts(draft, message.key, stray) },
      })
    }
  },
})

export const page: Page = {
  summary: 'Thinking is switched off, and the open step has some.',
  why: 'The setting was changed while the tools ran, and the reader takes thinking only where it is switched on.',
  fix: 'The thinking of the open steps goes. That of earlier turns stays.',
}
