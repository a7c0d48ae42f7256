import { defineRule, type Page, shown } from '../rule.ts'

export const callWithoutReasoning = defineRule({
  id: 'call-without-reasoning',
  appliesTo: (facts, wire) => facts.callWithoutReasoning === 'refuse' && wire.reasoning === 'items',
  check(scene, report) {
    const withText = scene.facts.textWithoutReasoning === 'refuse'
    let reasoned = false
    for (const message of scene.messages) {
      if (message.role === 'user') reasoned = false
      if (message.role === 'other') reasoned = true
      if (message.role !== 'assistant') continue
      for (let slot = 0; slot < message.parts.length; slot++) {
        const part = message.parts[slot]
        // Reasoning that has lost its id is not found again, unless it brings all that is in it along.
        if (part.kind === 'reasoning') reasoned ||= part.itemId !== undefined || part.signed
        if (reasoned || part.itemId === undefined) continue
        const isBound = part.kind === 'call' ? part.sort === 'function' : withText && part.kind === 'text'
        if (!isBound) continue
        report({
          message,
          part,
          ...(part.kind === 'call' ? { callId: part.id } : {}),
          text: `item ${shown(part.itemId)} comes without its reasoning item`,
          fix: {
            title: 'leave the item id out',
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
  summary: 'An item is named by its id, but the reasoning item that led to it is gone.',
  why: 'The reader looks the id up, finds that reasoning belongs to it, and refuses the item without it.',
  fix: 'The item id goes, so that the item is read by what it says; the call id stays.',
}
