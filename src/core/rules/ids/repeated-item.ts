import type { Message, Part } from '../../conversation.ts'
import { dropParts } from '../../edit.ts'
import { equal } from '../../json/equal.ts'
import { type Defect, defineRule, type Page, shortenId } from '../rule.ts'

export const repeatedItem = defineRule({
  id: 'repeated-item',
  appliesTo: (facts, format) =>
    facts.repeatedItem === 'refuse' && (format.reasoning === 'items' || format.namesItems === true),
  check(context, report) {
    if (context.format.reasoning !== 'items') {
      checkNamedParts(context.messages, report)
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
        else if (isReference(part) || equal(seen.get(part.itemId), part.raw)) copies.push(part)
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

/** A reference names an item by its id. If the history has that item already, it is a copy, whatever its other fields are. */
const isReference = (part: Part): boolean => part.kind === 'other' && part.reference === true

/**
 * For the messages of an SDK that sends an item as a reference to its id. Text and reasoning parts of one message that share an
 * id are sent as one reference, but each call that the provider ran is sent by itself, so a second one is a copy.
 */
function checkNamedParts(messages: readonly Message[], report: (defect: Defect) => void): void {
  const seen = new Map<string, { readonly raw: unknown; readonly message: Message }>()
  for (const message of messages) {
    const copies: Part[] = []
    let isSame = true
    for (let slot = 0; slot < message.parts.length; slot++) {
      const part = message.parts[slot]
      if (part?.itemId === undefined) continue
      const isRun = part.kind === 'call' || part.kind === 'result'
      const key = `${isRun ? part.kind : 'item'} ${part.itemId}`
      const earlier = seen.get(key)
      if (!earlier) seen.set(key, { raw: part.raw, message })
      else if (isRun) {
        copies.push(part)
        isSame &&= equal(earlier.raw, part.raw)
      } else if (earlier.message === message) continue
      else if (equal(earlier.raw, part.raw)) copies.push(part)
      else report(other(message, slot, part))
    }
    const [copy] = copies
    if (copy) report(copied(message, copy, copies, isSame))
  }
}

const copied = (message: Message, part: Part, copies: readonly Part[], isSame = true): Defect => ({
  message,
  part,
  ...(part.kind === 'call' || part.kind === 'result' ? { callId: part.id } : {}),
  text: `item ${shortenId(part.itemId ?? '')} appears here again${copies.length > 1 ? `, and ${copies.length - 1} more` : ''}`,
  fix: {
    title: 'drop the later copy',
    class: isSame ? 'lossless' : 'lossy',
    apply: draft => dropParts(draft, message.key, copies),
  },
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
