import type { Part } from '../conversation.ts'
import { defineRule, shown } from '../rule.ts'

export const malformedItemId = defineRule({
  id: 'malformed-item-id',
  severity: 'error',
  summary: 'An item has an id of its own in a form that the reader refuses.',
  why: 'The reader knows only ids that it gave itself. Without one the item is read by what it says.',
  fix: 'The item id goes; the call id stays.',
  appliesTo: (facts, wire) => facts.itemIds === 'strict' && wire.reasoning === 'items',
  check(scene, report) {
    for (const message of scene.messages) {
      for (let slot = 0; slot < message.parts.length; slot++) {
        const part = message.parts[slot]
        if (part.itemId === undefined || isAccepted(part, part.itemId)) continue
        report({
          message,
          part,
          text: `item id "${shown(part.itemId)}" has a form that is refused`,
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

const isAccepted = (part: Part, id: string): boolean =>
  /^[a-zA-Z0-9_-]*[a-zA-Z0-9-]$/.test(id) && (part.kind !== 'call' || part.sort !== 'function' || id.startsWith('fc'))
