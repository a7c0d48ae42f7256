import { seating, seatsOf } from '../../pairing/placement.ts'
import { callOf, defineRule, type Page } from '../rule.ts'

export const earlyResult = defineRule({
  id: 'early-result',
  check(scene, report) {
    const seats = seatsOf(scene.messages)
    for (const { call, result, cause } of seating(scene).unseated) {
      if (cause !== 'early') continue
      const { key } = result.message
      report({
        message: result.message,
        part: result.part,
        callId: call.part.id,
        text: `the result of ${callOf(call.part.id)} comes before it`,
        fix: {
          title: 'move it after its call',
          class: 'lossless',
          apply: draft => {
            draft.move(key, seats(call.step).place(call))
            seats(call.step).taken(call, key)
          },
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
