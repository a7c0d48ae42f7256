import type { Message } from '../../conversation.ts'
import { openSteps } from '../../pairing/open-steps.ts'
import { defineRule, type Page } from '../rule.ts'

export const missingThinking = defineRule({
  id: 'missing-thinking',
  appliesTo: (facts, format) => facts.thinkingSetting !== 'free' && format.reasoning === 'blocks',
  check(context, report) {
    if (context.settings?.thinking !== 'on') return
    const open = openSteps(context)
    const last = open.at(-1)
    if (!last || last.parts.length === 0 || open.some(beginsWithThinking)) return
    report({
      message: last,
      text: 'thinking is enabled, and the open step does not start with thinking',
      fix: {
        title: 'disable thinking for this request',
        class: 'lossy',
        apply: draft => draft.set({ thinking: 'off' }),
      },
    })
  },
})

export const page: Page = {
  summary: 'Thinking is enabled, and no open step starts with thinking.',
  why: 'The thinking was lost or comes from another model, and it is signed, so it cannot be made up.',
  fix: 'Thinking is disabled for this request. The history stays as it is.',
}

/** A model that thinks once per turn has thinking only in the first step. */
const beginsWithThinking = ({ parts }: Message): boolean => parts[0]?.kind === 'reasoning'
