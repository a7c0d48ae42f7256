import type { Message } from '../../conversation.ts'
import { openSteps } from '../../pairing/open-steps.ts'
import { defineRule, type Page } from '../rule.ts'

export const missingThinking = defineRule({
  id: 'missing-thinking',
  appliesTo: (facts, wire) => facts.thinkingSetting !== 'free' && wire.reasoning === 'blocks',
  check(scene, report) {
    if (scene.settings?.thinking !== 'on') return
    const open = openSteps(scene)
    const last = open.at(-1)
    if (!last || last.parts.length === 0 || open.some(beginsWithThinking)) return
    report({
      message: last,
      text: 'the open step does not begin with thinking, which is switched on',
      fix: {
        title: 'switch thinking off for this request',
        class: 'lossy',
        apply: draft => draft.set({ thinking: 'off' }),
      },
    })
  },
})

export const page: Page = {
  summary: 'Thinking is switched on, and no open step begins with it.',
  why: 'The thinking was lost on the way, or made by another model, and it cannot be made up: it is signed.',
  fix: 'Thinking is switched off for this request. The history stays as it is.',
}

/** A model that thinks once a turn begins only its first step so. */
const beginsWithThinking = ({ parts }: Message): boolean => parts[0]?.kind === 'reasoning'
