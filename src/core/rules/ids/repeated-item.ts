import type { Message, Part } from '../../conversation.ts'
import { dropParts } from '../../edit.ts'
import { equal } from '../../json/equal.ts'
import { defineRule, type Finding, type Page, shown } from '../rule.ts'

export const repeatedItem = defineRule({
  id: 'repeated-item',
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
      for (let slot = 0; slot < message.parts.length; slot++) {
        const part = message.parts[slot]
        if (part.itemId === undefined || part.itemId === '') continue
        if (!seen.has(part.itemId)) seen.set(part.itemId, part.raw)
        else if (equal(seen.get(part.itemId), part.raw)) copies.push(part)
        else report(other(message, slot))
      }
      if (copies.length > 0) report(copied(message, copies))
    }
  },
})

export const page: Page = {
  summary: 'The same item appears in the history twice.',
  why: 'Items have ids, and a provider that stores them rejects the second copy.',
  fix: 'The first copy stays, later copies are removed. An item with the same id and different content stays, without the id.',
}

const copied = (message: Message, copies: readonly Part[]): Finding => ({
  message,
  part: copies[0],
  text: `item ${shown(copies[0].itemId ?? '')} appears here again${copies.length > 1 ? `, and ${copies.length - 1} more` : ''}`,
  fix: { title: 'drop the later copy', class: 'lossless', apply: draft => dropParts(draft, message.key, copies) },
})

/** Found before the copies of its message go, so that its place is still the same. */
function other(message: Message, slot: number): Finding {
  const { itemId, ...rest } = message.parts[slot]
  return {
    message,
    part: message.parts[slot],
    text: `another item has the id ${shown(itemId ?? '')} already`,
    fix: {
      title: 'remove the item id',
      class: 'lossless',
      apply: draft => draft.rewrite(message.key, slot, rest as Part),
    },
  }
}

const again = (message: Message, same: boolean): Finding => ({
  message,
  text: `item ${shown(message.itemId ?? '')} appears here again`,
  fix: {
    title: same ? 'drop the later copy' : 'remove the item id',
    class: 'lossless',
    apply: draft => {
      if (same) draft.remove(message.key)
      else draft.update(message.key, ({ itemId: _, ...now }) => now)
    },
  },
})
