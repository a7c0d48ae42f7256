import type { Choices } from '../../choices.ts'
import { type CallPart, isPending, type ResultPart } from '../../conversation.ts'
import type { Call } from '../../pairing/pairs.ts'
import { seatsOf } from '../../pairing/placement.ts'
import { type CallState, placeholderTexts } from '../../placeholder.ts'
import { callOf, defineRule, type Page, shown } from '../rule.ts'

export const unansweredCall = defineRule({
  id: 'unanswered-call',
  check(scene, report) {
    const seats = seatsOf(scene.messages)
    const { waiting, tail } = scene
    for (const call of scene.pairing.calls) {
      if (call.answer || call.part.hosted || waiting.has(call)) continue
      const { part, step } = call
      if (part.async && scene.facts.lateResults === 'accept') continue
      const state = stateOf(call, scene.choices, tail)
      if (state === 'running' && scene.choices.pending !== 'answer') continue
      report({
        message: step.message,
        part,
        callId: part.id,
        text: `${callOf(part.id)} of ${shown(part.name) || 'a tool'} has no result`,
        fix: {
          title: `answer it with a placeholder that says ${words[state]}`,
          class: 'synthetic',
          apply: draft => {
            const key = draft.insert(seats(step).place(call), { role: 'tool', parts: [placeholder(part, state)] })
            seats(step).taken(call, key)
          },
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A call has no result.',
  why: 'The next request is rejected, and so is every retry.',
  fix: 'A placeholder result says that no result was recorded, and what is known about the call. A history that is being stored may end with open calls.',
}

/** What is known of a call that has no result. */
function stateOf(call: Call, { pendingCalls }: Choices, tail: ReadonlySet<Call>): CallState {
  if (isPending(call.part, pendingCalls)) return 'running'
  if (call.part.neverRan || call.part.sort === 'invalid') return 'not-started'
  if (call.part.approval === 'denied') return 'denied'
  if (call.part.approval === 'requested') return tail.has(call) ? 'not-started' : 'expired'
  return 'unknown'
}

const words: Readonly<Record<CallState, string>> = {
  unknown: 'no result was recorded',
  interrupted: 'it was interrupted',
  'not-started': 'it was never started',
  denied: 'it was denied',
  expired: 'its approval never came',
  running: 'it is still running',
}

const placeholder = ({ id, name, sort }: CallPart, state: CallState): ResultPart => ({
  kind: 'result',
  id,
  name,
  sort,
  content: placeholderTexts[state],
  error: true,
  ...(state === 'denied' ? { denied: true } : {}),
  by: 'client',
})
