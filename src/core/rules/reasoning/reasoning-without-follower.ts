import type { Message, Part } from '../../conversation.ts'
import { dropParts } from '../../edit.ts'
import { defineRule, type Fix, isOmittedBySdk, type Page, sentMessages, shortenId } from '../rule.ts'

export const reasoningWithoutFollower = defineRule({
  id: 'reasoning-without-follower',
  appliesTo: (facts, format) =>
    facts.loneReasoning !== 'accept' && (format.reasoning === 'items' || format.namesItems === true),
  check(context, report) {
    const messages = sentMessages(context)
    for (let position = 0; position < messages.length; position++) {
      const message = messages[position]
      if (message?.role !== 'assistant') continue
      const last = message.parts.findLastIndex(
        part => part.kind !== 'reasoning' && !isOmittedBySdk(part, context.facts),
      )
      const lone = message.parts.slice(last + 1).filter(part => part.itemId !== undefined)
      const [first] = lone
      if (!first) continue
      if (messages[position + 1]?.role === 'other' || messages[position + 1]?.role === 'assistant') continue
      report({
        message,
        part: first,
        text: `reasoning item ${shortenId(first.itemId ?? '')} is not followed by an item`,
        fix: context.facts.loneReasoning === 'refuse-named' ? unnaming(message, lone) : dropping(message, lone),
      })
    }
  },
})

const dropping = ({ key }: Message, lone: readonly Part[]): Fix => ({
  title: 'remove it',
  class: 'lossy',
  apply: draft => dropParts(draft, key, lone),
})

const unnaming = ({ key }: Message, lone: readonly Part[]): Fix => ({
  title: 'keep it without its id',
  class: 'lossless',
  apply: draft => {
    const named = new Set(lone)
    const unnamed = ({ itemId: _, ...part }: Part): Part => part
    draft.update(key, message => ({
      ...message,
      parts: message.parts.map(part => (named.has(part) ? unnamed(part) : part)),
    }))
  },
})

export const page: Page = {
  summary: 'A reasoning item is not followed by the item it led to.',
  why: 'A reasoning item with an id must be sent together with the item that it led to.',
  fix: 'The reasoning item is removed, or stays without its id where that is enough.',
}
