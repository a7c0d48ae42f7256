import type { Message, Part } from '../../conversation.ts'
import type { Draft } from '../../edit.ts'
import { defineRule, type Page, type RuleContext } from '../rule.ts'

export const textAfterCall = defineRule({
  id: 'text-after-call',
  appliesTo: (facts, format) => facts.textAfterCall !== 'accept' && format.ordered,
  check(context, report) {
    const answered = new Set<Part>()
    const { lateResults } = context.facts
    for (const { part, answer } of context.pairing.calls)
      if (answer || (part.async && lateResults === 'accept')) answered.add(part)
    for (const message of context.messages) {
      if (message.role !== 'assistant') continue
      const first = message.parts.findIndex(isClientCall)
      const late = first < 0 ? undefined : message.parts.find((part, index) => index > first && mustLead(part, context))
      if (!late) continue
      const pieces = divide(message.parts, answered, context)
      if (pieces.length === 1 && pieces[0]?.every((part, index) => part === message.parts[index])) continue
      report({
        message,
        part: late,
        text: 'text follows a call in the same message',
        fix: {
          title: pieces.length > 1 ? 'split the message before it' : 'move it before the calls',
          class: 'lossless',
          apply: draft => write(draft, message, pieces),
        },
      })
    }
  },
})

export const page: Page = {
  summary:
    'Text follows a call that has no result in the same assistant message, or an item comes between a call and its result.',
  why: 'The assistant went on without the result, so the text belongs to a later step. Among items, some providers want the results right after their calls. Text after calls whose results follow is left alone: the message is echoed as the model made it.',
  fix: 'The message is split before the text. Among items whose calls have results, the text moves before the calls and their reasoning.',
}

const isClientCall = (part: Part): boolean => part.kind === 'call' && part.by === 'client'

/** Items are independent: reasoning and provider items may come between calls and results. */
function mustLead(part: Part, { format, facts }: RuleContext): boolean {
  if (format.reasoning !== 'items') return part.kind === 'text'
  return facts.lateResults === 'accept' ? part.kind === 'text' && part.itemId === undefined : !isClientCall(part)
}

/** The parts in an allowed order: in one message, or split into several after unanswered calls. */
function divide(parts: readonly Part[], answered: ReadonlySet<Part>, context: RuleContext): Part[][] {
  const { format, facts } = context
  const mayStay =
    facts.textAfterCall !== 'refuse-answered' && (format.reasoning !== 'items' || facts.lateResults === 'accept')
  const pieces: Part[][] = []
  let lead: Part[] = []
  let late: Part[] = []
  let calls: Part[] = []
  let hasAnswer = false
  const close = (): void => {
    let place = lead.length
    if (context.format.reasoning === 'items' && calls.length > 0) while (lead[place - 1]?.kind === 'reasoning') place--
    pieces.push([...lead.slice(0, place), ...late, ...lead.slice(place), ...calls])
    lead = []
    late = []
    calls = []
    hasAnswer = false
  }
  for (const part of parts) {
    if (calls.length === 0 && !isClientCall(part)) lead.push(part)
    else if (!mustLead(part, context)) {
      calls.push(part)
      hasAnswer ||= answered.has(part)
    } else if (hasAnswer && mayStay) calls.push(part)
    else if (hasAnswer && !context.format.keepsText) late.push(part)
    else {
      close()
      lead.push(part)
    }
  }
  close()
  return pieces
}

function write(draft: Draft, message: Message, [first, ...rest]: readonly Part[][]): void {
  if (!first) return
  draft.update(message.key, now => ({ ...now, parts: first }))
  let place = message.key
  for (const parts of rest) place = draft.insert(place, { role: 'assistant', parts })
}
