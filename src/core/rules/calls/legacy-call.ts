import type { CallPart, Part, ResultPart } from '../../conversation.ts'
import { defineRule, type Page, shortenId } from '../rule.ts'

export const legacyCall = defineRule({
  id: 'legacy-call',
  appliesTo: ({ legacyCalls }, format) => legacyCalls === 'refuse' && format.legacyCalls === true,
  check(context, report) {
    for (const message of context.messages) {
      for (const [slot, part] of message.parts.entries()) {
        if (!isLegacy(part)) continue
        const tool = shortenId(part.name ?? '') || 'a tool'
        report({
          message,
          part,
          callId: part.id,
          text:
            part.kind === 'call'
              ? `the call of ${tool} is in the deprecated field function_call`
              : `the result of ${tool} has the deprecated role function`,
          fix: {
            title: part.kind === 'call' ? 'write it into tool_calls' : 'give it the role tool',
            class: 'lossless',
            apply: draft => draft.rewrite(message.key, slot, renewed(part)),
          },
        })
      }
    }
  },
})

export const page: Page = {
  summary: 'A call or a result is written in the deprecated form, as `function_call` and with the role `function`.',
  why: 'Providers and chat templates that only know `tool_calls` and the role `tool` reject the result and ignore the call.',
  fix: 'The call is written into `tool_calls` and its result gets the role `tool`. Both get an id.',
}

const isLegacy = (part: Part): part is CallPart | ResultPart =>
  (part.kind === 'call' || part.kind === 'result') && part.callKind === 'legacy'

/** The fields of a legacy call do not fit the list, so the call is rewritten. */
function renewed(part: CallPart | ResultPart): Part {
  if (part.kind === 'result') return { ...part, callKind: 'function' }
  const { raw: _, ...call } = part
  return { ...call, callKind: 'function' }
}
