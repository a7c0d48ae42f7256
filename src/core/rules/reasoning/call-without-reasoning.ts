import type { Message, Part, ReasoningPart } from '../../conversation.ts'
import { type Defect, defineRule, type Page, shortenId } from '../rule.ts'

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
      for (const [slot, part] of message.parts.entries()) {
        if (part.kind === 'reasoning') {
          const isFound = canBeFound(part)
          if (isFound || message.parts[slot - 1]?.kind !== 'reasoning') lost = !isFound
          reasoned ||= isFound
        } else if ((lost || (isAlways && !reasoned)) && followsReasoning(part)) report(droppingId(message, part, slot))
      }
    }
  },
})

/** Reasoning without an id cannot be looked up, unless it carries its encrypted content. */
const canBeFound = (part: ReasoningPart): boolean => part.itemId !== undefined || part.signed

const followsReasoning = (part: Part): boolean =>
  part.itemId !== undefined && (part.kind === 'text' || (part.kind === 'call' && part.callKind === 'function'))

function droppingId(message: Message, part: Part, slot: number): Defect {
  const { itemId = '', ...rest } = part
  return {
    message,
    part,
    ...(part.kind === 'call' ? { callId: part.id } : {}),
    text: `item ${shortenId(itemId)} has lost its reasoning item`,
    fix: {
      title: 'remove the item id',
      class: 'lossless',
      apply: draft => draft.rewrite(message.key, slot, rest as Part),
    },
  }
}

export const page: Page = {
  summary: 'An item has an id, but the reasoning item that led to it is missing.',
  why: 'The provider looks the id up, finds that reasoning belongs to it, and rejects the item without it. Items of a response that shows no reasoning are left alone: models also answer without reasoning.',
  fix: 'The item id is removed, so that the item is read by its content; the call id stays. After a rejection that names lost reasoning, all ids without reasoning in their turn are removed.',
}
