import type { Message, Part } from '../../conversation.ts'
import type { Draft } from '../../edit.ts'
import { type Defect, defineRule, type Page, shortenId } from '../rule.ts'

export const malformedItemId = defineRule({
  id: 'malformed-item-id',
  appliesTo: (facts, format) => facts.itemIds === 'strict' && format.reasoning === 'items',
  check(context, report) {
    for (const message of context.messages) {
      const { key, itemId } = message
      if (itemId !== undefined && !hasForm(itemId))
        report(removal(itemId, { message }, draft => draft.update(key, ({ itemId: _, ...now }) => now)))
      for (let slot = 0; slot < message.parts.length; slot++) {
        const part = message.parts[slot]
        if (part?.itemId === undefined || isAccepted(part, part.itemId)) continue
        report(removal(part.itemId, { message, part }, draft => draft.rewrite(key, slot, withoutId(part))))
      }
      const bound = boundReasoning(message)
      if (bound) report(bound)
    }
  },
})

export const page: Page = {
  summary: 'An item has an item id in a form that the provider rejects.',
  why: 'The provider knows only ids that it issued. Without an id the item is read by its content.',
  fix: 'The item id is removed; the call id stays. Reasoning that precedes the item loses its id too if it carries encrypted content; otherwise it is removed.',
}

const withoutId = ({ itemId: _, ...part }: Part): Part => part as Part

/** Reasoning with an id must be followed by an item with an id, and an item with an id must follow its reasoning. */
function boundReasoning(message: Message): Defect | undefined {
  const { parts, key } = message
  const dropped = new Set<number>()
  const stripped = new Set<number>()
  let isGone = false
  for (let slot = 0, start = 0; slot < parts.length; slot++) {
    const part = parts[slot]
    if (part?.kind === 'reasoning') {
      isGone = false
      continue
    }
    if (part?.itemId !== undefined && !isAccepted(part, part.itemId))
      for (let at = slot - 1; at >= start; at--) {
        const before = parts[at]
        if (before?.kind !== 'reasoning' || before.itemId === undefined) continue
        if (before.signed) stripped.add(at)
        else dropped.add(at)
        isGone ||= !before.signed
      }
    if (isGone && part?.itemId !== undefined) stripped.add(slot)
    start = slot + 1
  }
  const [slot = -1] = [...dropped, ...stripped].sort((a, b) => a - b)
  const first = parts[slot]
  if (!first) return undefined
  return {
    message,
    part: first,
    text: `reasoning item ${shortenId(first.itemId ?? '')} leads to an item that loses its id`,
    fix: {
      title: dropped.size > 0 ? 'remove the reasoning' : 'remove its item id',
      class: dropped.size > 0 ? 'lossy' : 'lossless',
      apply: draft =>
        draft.update(key, now => ({
          ...now,
          parts: now.parts.flatMap((part, slot) =>
            dropped.has(slot) ? [] : [stripped.has(slot) ? withoutId(part) : part],
          ),
        })),
    },
  }
}

const removal = (id: string, at: { message: Message; part?: Part }, apply: (draft: Draft) => void): Defect => ({
  ...at,
  text: `item id "${shortenId(id)}" has a form that is rejected`,
  fix: { title: 'remove the item id', class: 'lossless', apply },
})

const hasForm = (id: string): boolean => /^[a-zA-Z0-9_-]*[a-zA-Z0-9-]$/.test(id)

const isAccepted = (part: Part, id: string): boolean =>
  hasForm(id) && (part.kind !== 'call' || part.callKind !== 'function' || id.startsWith('fc'))
