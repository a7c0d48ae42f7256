import type { Choices } from '../../choices.ts'
import { type CallPart, isPending, type ResultPart } from '../../conversation.ts'
import type { PairedCall } from '../../pairing/paired-calls.ts'
import { resultSlots } from '../../pairing/placement.ts'
import { type CallState, placeholderTexts } from '../../placeholder.ts'
import { callLabel, defineRule, type Page, shortenId } from '../rule.ts'

export const unansweredCall = defineRule({
  id: 'unanswered-call',
  check(context, report) {
    const slots = resultSlots(context.messages)
    const { waiting, tail } = context
    for (const call of context.pairing.calls) {
      if (call.answer || call.part.providerRun || waiting.has(call)) continue
      const { part, step } = call
      if (part.async && context.facts.lateResults === 'accept') continue
      const state = stateOf(call, context.choices, tail)
      if (state === 'running' && context.choices.pending !== 'answer') continue
      report({
        message: step.message,
        part,
        callId: part.id,
        text: `${callLabel(part.id)} of ${shortenId(part.name) || 'a tool'} has no result`,
        fix: {
          title: `answer it with a placeholder that says ${descriptions[state]}`,
          class: 'synthetic',
          apply: draft => {
            const key = draft.insert(slots(step).place(call), { role: 'tool', parts: [placeholder(part, state)] })
            slots(step).occupy(call, key)
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

function stateOf(call: PairedCall, { pendingCalls }: Choices, tail: ReadonlySet<PairedCall>): CallState {
  if (isPending(call.part, pendingCalls)) return 'running'
  if (call.part.neverRan || call.part.callKind === 'invalid') return 'not-started'
  if (call.part.approval === 'denied') return 'denied'
  if (call.part.approval === 'requested') return tail.has(call) ? 'not-started' : 'expired'
  return 'unknown'
}

const descriptions: Readonly<Record<CallState, string>> = {
  unknown: 'no result was recorded',
  interrupted: 'it was interrupted',
  'not-started': 'it was never started',
  denied: 'it was denied',
  expired: 'its approval never came',
  running: 'it is still running',
}

const placeholder = ({ id, name, callKind }: CallPart, state: CallState): ResultPart => ({
  kind: 'result',
  id,
  name,
  callKind,
  content: placeholderTexts[state],
  error: true,
  ...(state === 'denied' ? { denied: true } : {}),
  by: 'client',
})
