import { findPlacement, moveToCall, resultSlots } from '../../pairing/placement.ts'
import { callLabel, defineRule, type Page } from '../rule.ts'

export const earlyResult = defineRule({
  id: 'early-result',
  check(context, report) {
    const slots = resultSlots(context.messages)
    for (const { call, result, cause } of findPlacement(context).outOfPlace) {
      if (cause !== 'early') continue
      report({
        message: result.message,
        part: result.part,
        callId: call.part.id,
        text: `the result of ${callLabel(call.part.id)} comes before it`,
        fix: {
          title: 'move it after its call',
          class: 'lossless',
          apply: moveToCall(slots, call, result),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A result comes before its call.',
  why: 'The provider does not know the call yet when it reads the result.',
  fix: 'The result moves after its call.',
}
