import type { Message, Part } from '../conversation.ts'
import type { Draft } from '../edit.ts'
import { defineRule, type Finding, type Page, shown } from '../rule.ts'

export const malformedItemId = defineRule({
  id: 'malformed-item-id',
  appliesTo: (facts, wire) => facts.itemIds === 'strict' && wire.reasoning === 'items',
  check(scene, report) {
    for (const message of scene.messages) {
      const { key, itemId } = message
      if (itemId !== undefined && !hasForm(itemId))
        report(removal(itemId, { message }, draft => draft.update(key, ({ itemId: _, ...now }) => now)))
      for (let slot = 0; slot < message.parts.length; slot++) {
        const part = message.parts[slot]
        if (part.itemId === undefined || isAccepted(part, part.itemId)) continue
        const { itemId: _, ...rest } = part
        report(removal(part.itemId, { message, part }, draft => draft.rewrite(key, slot, rest)))
      }
    }
  },
})

export const page: Page = {
  summary: 'An item has an id of its own in a form that the reader refuses.',
  why: 'The reader knows only ids that it gave itself. Without one the item is read by what it says.',
  fix: 'The item id goes; the call id stays.',
}

const removal = (id: string, at: { message: Message; part?: Part }, apply: (draft: Draft) => void): Finding => ({
  ...at,
  text: `item id "${shown(id)}" has a form that is refused`,
  fix: { title: 'leave the item id out', class: 'lossless', apply },
})

const hasForm = (id: string): boolean => /^[a-zA-Z0-9_-]*[a-zA-Z0-9-]$/.test(id)

const isAccepted = (part: Part, id: string): boolean =>
  hasForm(id) && (part.kind !== 'call' || part.sort !== 'function' || id.startsWith('fc'))
