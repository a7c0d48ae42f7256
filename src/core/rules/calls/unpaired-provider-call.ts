import type { Message, Part } from '../../conversation.ts'
import { dropParts } from '../../edit.ts'
import { defineRule, type Page, shortenId } from '../rule.ts'

export const unpairedProviderCall = defineRule({
  id: 'unpaired-provider-call',
  check(context, report) {
    const { pairing } = context
    const open = pairing.calls.filter(call => call.part.providerRun && !call.answer)
    if (open.length === 0 && pairing.unpaired.length === 0) return
    const unpaired = new Map<Message, Part[]>()
    const { waiting } = context
    const alone = open.filter(call => !waiting.has(call)).map(({ step, part }) => ({ message: step.message, part }))
    for (const { message, part } of [...pairing.unpaired, ...alone]) {
      if (context.continues && part.kind === 'result') continue
      // The provider may run it under another id once it has received the answer to its approval request.
      if (part.kind === 'call' && part.approval === 'forwarded') continue
      const known = unpaired.get(message)
      if (known) known.push(part)
      else unpaired.set(message, [part])
    }
    for (const [message, parts] of unpaired) {
      const part = parts[0] as Extract<Part, { id: string }>
      report({
        message,
        part,
        callId: part.id,
        text: `the provider's own ${part.kind} ${shortenId(part.id)} has no counterpart`,
        fix: { title: 'remove it', class: 'lossy', apply: draft => dropParts(draft, message.key, parts) },
      })
    }
  },
})

export const page: Page = {
  summary: 'A call run by the provider has no result, or a result has no call.',
  why: 'Only the provider can produce such a result. At the end of a history the call may still be open; elsewhere it is rejected.',
  fix: 'The remaining half is removed.',
}
