import type { CallPart, Message, Part, ResultPart } from '../../conversation.ts'
import { dropParts } from '../../edit.ts'
import { equal } from '../../json/equal.ts'
import { type Defect, defineRule, type Page, shortenId } from '../rule.ts'

export const repeatedItem = defineRule({
  id: 'repeated-item',
  appliesTo: (facts, format) =>
    facts.repeatedItem === 'refuse' && (format.reasoning === 'items' || format.namesItems === true),
  check(context, report) {
    if (context.format.reasoning !== 'items') {
      for (const message of context.messages) {
        const served = servedAgain(message)
        if (served) report(served)
      }
      return
    }
    const seen = new Map<string, unknown>()
    for (const message of context.messages) {
      if (message.itemId) {
        const earlier = seen.get(message.itemId)
        const { role, parts } = message
        if (earlier === undefined) seen.set(message.itemId, { role, parts })
        else report(again(message, equal(earlier, { role, parts })))
      }
      const copies: Part[] = []
      for (let slot = 0; slot < message.parts.length; slot++) {
        const part = message.parts[slot]
        if (!part?.itemId) continue
        if (!seen.has(part.itemId)) seen.set(part.itemId, part.raw)
        else if (equal(seen.get(part.itemId), part.raw)) copies.push(part)
        else report(other(message, slot, part))
      }
      const [copy] = copies
      if (copy) report(copied(message, copy, copies))
    }
  },
})

export const page: Page = {
  summary: 'The same item appears in the history twice.',
  why: 'Items have ids, and a provider that stores them rejects the second copy.',
  fix: 'The first copy stays, later copies are removed. An item with the same id and different content stays, without the id.',
}

/** Copies of the provider's own calls in a message. An SDK sends each as its item, by the id of the call. */
function servedAgain(message: Message): Defect | undefined {
  const seen = new Map<string, unknown>()
  const copies: (CallPart | ResultPart)[] = []
  let isSame = true
  for (const part of message.parts) {
    if ((part.kind !== 'call' && part.kind !== 'result') || part.by !== 'provider') continue
    const key = `${part.kind} ${part.id}`
    if (!seen.has(key)) seen.set(key, part.raw)
    else {
      copies.push(part)
      isSame &&= equal(seen.get(key), part.raw)
    }
  }
  const [copy] = copies
  if (!copy) return undefined
  return {
    message,
    part: copy,
    callId: copy.id,
    text: `item ${shortenId(copy.id)} appears here again`,
    fix: {
      title: 'drop the later copy',
      class: isSame ? 'lossless' : 'lossy',
      apply: draft => dropParts(draft, message.key, copies),
    },
  }
}

const copied = (message: Message, part: Part, copies: readonly Part[]): Defect => ({
  message,
  part,
  text: `item ${shortenId(part.itemId ?? '')} appears here again${copies.length > 1 ? `, and ${copies.length - 1} more` : ''}`,
  fix: { title: 'drop the later copy', class: 'lossless', apply: draft => dropParts(draft, message.key, copies) },
})

/** Reported before the copies of its message are removed, while its index is still valid. */
function other(message: Message, slot: number, part: Part): Defect {
  const { itemId, ...rest } = part
  return {
    message,
    part,
    text: `another item has the id ${shortenId(itemId ?? '')} already`,
    fix: {
      title: 'remove the item id',
      class: 'lossless',
      apply: draft => draft.rewrite(message.key, slot, rest as Part),
    },
  }
}

const again = (message: Message, same: boolean): Defect => ({
  message,
  text: `item ${shortenId(message.itemId ?? '')} appears here again`,
  fix: {
    title: same ? 'drop the later copy' : 'remove the item id',
    class: 'lossless',
    apply: draft => {
      if (same) draft.remove(message.key)
      else draft.update(message.key, ({ itemId: _, ...now }) => now)
    },
  },
})
