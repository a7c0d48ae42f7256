import type { Message, Part } from '../conversation.ts'
import { dropParts } from '../edit.ts'
import { equal } from '../equal.ts'
import { defineRule, type Finding } from '../rule.ts'

export const repeatedItem = defineRule({
  id: 'repeated-item',
  severity: 'error',
  summary: 'The same item stands in the history twice.',
  why: 'Items have ids of their own, and a reader that knows them refuses the second copy.',
  fix: 'The first copy stays, later ones go. A user or system message that says something else stays, without the id.',
  appliesTo: (facts, wire) => facts.repeatedItem === 'refuse' && wire.reasoning === 'items',
  check(scene, report) {
    const seen = new Map<string, unknown>()
    for (const message of scene.messages) {
      if (message.itemId) {
        const earlier = seen.get(message.itemId)
        const { role, parts } = message
        if (earlier === undefined) seen.set(message.itemId, { role, parts })
        else report(again(message, equal(earlier, { role, parts })))
      }
      const copies: Part[] = []
      let same = true
      for (const part of message.parts) {
        if (part.itemId === undefined || part.itemId === '') continue
        if (seen.has(part.itemId)) {
          copies.push(part)
          same &&= equal(seen.get(part.itemId), part.raw)
        } else seen.set(part.itemId, part.raw)
      }
      if (copies.length === 0) continue
      report({
        message,
        part: copies[0],
        text: `item ${copies[0].itemId} stands here again${copies.length > 1 ? `, and ${copies.length - 1} more` : ''}`,
        fix: {
          title: 'drop the later copy',
          class: same ? 'lossless' : 'lossy',
          apply: draft => dropParts(draft, message.key, copies),
        },
      })
    }
  },
})

const again = (message: Message, same: boolean): Finding => ({
  message,
  text: `item ${message.itemId} stands here again`,
  fix: {
    title: same ? 'drop the later copy' : 'leave the item id out',
    class: 'lossless',
    apply: draft => {
      if (same) draft.remove(message.key)
      else draft.update(message.key, ({ itemId: _, ...now }) => now)
    },
  },
})
