import { type CallState, placeholderTexts } from '../placeholder.ts'
import { defineRule, shown } from '../rule.ts'
import { seatsOf } from '../seating.ts'

export const unansweredCall = defineRule({
  id: 'unanswered-call',
  severity: 'error',
  summary: 'A call has no result.',
  why: 'The next request is refused, and so is every retry of it.',
  fix: 'A placeholder says that no result was recorded, and what is known of the call. A history that is being stored may end with open calls.',
  appliesTo: () => true,
  check(scene, report) {
    const seats = seatsOf(scene.messages)
    const { waiting } = scene
    for (const call of scene.pairing.calls) {
      if (call.answer || call.part.hosted || waiting.has(call)) continue
      const { part, step } = call
      const state: CallState = scene.choices.pendingCalls.has(part.id) ? 'running' : 'unknown'
      if (state === 'running' && scene.choices.pending === 'keep') continue
      report({
        message: step.message,
        part,
        callId: part.id,
        text: `call ${shown(part.id)} of ${shown(part.name) || 'a tool'} has no result`,
        fix: {
          title:
            state === 'running'
              ? 'answer it with a placeholder that says it is still running'
              : 'answer it with a placeholder that says no result was recorded',
          class: 'synthetic',
          apply: draft => {
            const { id, name, sort } = part
            const key = draft.insert(seats(step).place(call), {
              role: 'tool',
              parts: [{ kind: 'result', id, name, sort, content: placeholderTexts[state], error: true, by: 'client' }],
            })
            seats(step).taken(call, key)
          },
        },
      })
    }
  },
})
