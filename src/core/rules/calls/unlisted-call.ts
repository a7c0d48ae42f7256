import type { CallPart, Part } from '../../conversation.ts'
import { callLabel, defineRule, type Page } from '../rule.ts'

export const unlistedCall = defineRule({
  id: 'unlisted-call',
  appliesTo: (_, format) => format.listsCalls === true,
  check(context, report) {
    const { facts, pairing, messages } = context
    const answered = new Set(pairing.calls.filter(call => call.answer).map(call => call.part))
    // For an unknown provider, a call that is answered only now is added to the list, which every provider reads.
    const isSent = (part: CallPart, places: readonly string[]): boolean =>
      !places.includes('unsent') &&
      (facts.sentCalls ? places.some(place => facts.sentCalls?.includes(place)) : answered.has(part))
    const isMissing = (part: Part): part is CallPart =>
      part.kind === 'call' && part.unlisted !== undefined && !isSent(part, part.unlisted)
    for (const message of messages) {
      const missing = message.parts.find(isMissing)
      if (!missing) continue
      report({
        message,
        part: missing,
        callId: missing.id,
        text: `${callLabel(missing.id)} is missing in tool_calls, which is what is sent`,
        fix: {
          title: 'add it to the list',
          class: 'lossless',
          apply: draft => draft.update(message.key, now => ({ ...now, parts: now.parts.map(listed) })),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A call is in the content of a message, but not in its list of calls.',
  why: 'LangChain sends only the calls in `tool_calls` to most providers, so the result arrives without its call.',
  fix: 'The call is added to the list.',
}

function listed(part: Part): Part {
  if (part.kind !== 'call') return part
  const { unlisted: _, ...call } = part
  return call
}
