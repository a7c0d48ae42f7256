import type { CallPart, Part, ResultPart } from '../../conversation.ts'
import { dropParts } from '../../edit.ts'
import { acceptsId } from '../../ids.ts'
import { defineRule, type Page, shortenId } from '../rule.ts'

export const foreignProviderCall = defineRule({
  id: 'foreign-provider-call',
  appliesTo: ({ serverIds, hosts }) => serverIds !== undefined || hosts !== undefined,
  check(context, report) {
    const { serverIds, hosts } = context.facts
    const isForeign = (part: Part): part is CallPart | ResultPart => {
      if ((part.kind !== 'call' && part.kind !== 'result') || part.by !== 'provider') return false
      if (part.callKind === 'server' && serverIds && !acceptsId(serverIds, part.id)) return true
      return hosts !== undefined && !hosts.includes(part.host ?? '')
    }
    for (const message of context.messages) {
      const foreign = message.parts.filter(isForeign)
      const [part] = foreign
      if (!part) continue
      report({
        message,
        part,
        callId: part.id,
        text: `the ${part.kind} ${shortenId(part.id)} belongs to another provider`,
        fix: { title: 'remove it', class: 'lossy', apply: draft => dropParts(draft, message.key, foreign) },
      })
    }
  },
})

export const page: Page = {
  summary: 'A call that a provider ran has an id that this provider did not issue.',
  why: 'Another provider ran the call with a built-in tool. This provider rejects the id and, under any other id, the result of the tool.',
  fix: 'The call and its result are removed; the answer of the assistant stays.',
}
