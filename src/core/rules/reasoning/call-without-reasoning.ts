import { defineRule, type Page, shortenId } from '../rule.ts'

export const callWithoutReasoning = defineRule({
  id: 'call-without-reasoning',
  appliesTo: (facts, format) => facts.callWithoutReasoning !== 'accept' && format.reasoning === 'items',
  check(context, report) {
    const isAlways = context.facts.callWithoutReasoning === 'refuse'
    let reasoned = false
    for (const message of context.messages) {
      if (message.role === 'user') reasoned = false
      if (message.role === 'other') reasoned = true
      if (message.role !== 'assistant') continue
      let lost = false
      for (let slot = 0; slot < message.parts.length; slot++) {
        const part = message.parts[slot]
        // Reasoning without an id cannot be looked up, unless it carries its encrypted content.
        if (part?.kind === 'reasoning') {
          const isFound = part.itemId !== undefined || part.signed
          if (isFound || message.parts[slot - 1]?.kind !== 'reasoning') lost = !isFound
          reasoned ||= isFound
        }
        if (part?.itemId === undefined || !(lost || (isAlways && !reasoned))) continue
        if (part.kind !== 'text' && (part.kind !== 'call' || part.sort !== 'function')) continue
        report({
          message,
          part,
          ...(part.kind === 'call' ? { callId: part.id } : {}),
          text: `item ${shortenId(part.itemId)} has lost its reasoning item`,
          fix: {
            title: 'remove the item id',
            class: 'lossless',
            apply: draft => {
              const { itemId: _, ...rest } = part
              draft.rewrite(message.key, slot, rest)
            },
          },
        })
      }
    }
  },
})

export const page: Page = {
  summary: 'An item has an id, but the reasoning item that led to it is missing.',
  why: 'The provider looks the id up, finds that reasoning belongs to it, and rejects the item without it. Items of a response that shows no reasoning are left alone: models also answer without reasoning.',
  fix: 'The item id is removed, so that the item is read by its content; the call id stays. After a rejection that names lost reasoning, all ids without reasoning in their turn are removed.',
}
