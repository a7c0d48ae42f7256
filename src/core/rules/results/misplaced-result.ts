import { findPlacement, moveToCall, resultSlots } from '../../pairing/placement.ts'
import { callLabel, defineRule, type Page } from '../rule.ts'

export const misplacedResult = defineRule({
  id: 'misplaced-result',
  check(context, report) {
    const slots = resultSlots(context.messages)
    for (const { call, result, cause } of findPlacement(context).outOfPlace) {
      if (cause !== 'misplaced') continue
      report({
        message: result.message,
        part: result.part,
        callId: call.part.id,
        refused: call.step.message,
        text: `the result of ${callLabel(call.part.id)} comes after a later assistant message`,
        fix: {
          title: 'move it up to its call',
          class: 'lossless',
          apply: moveToCall(slots, call, result),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A result comes after the assistant has continued.',
  why: 'Results must directly follow their calls. A late one counts as missing after its call, and as an orphan in its own place.',
  fix: 'The result moves up to its call.',
}
