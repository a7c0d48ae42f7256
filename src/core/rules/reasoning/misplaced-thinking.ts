import type { Message, Part } from '../../conversation.ts'
import { defineRule, type Fix, type Page, type RuleContext } from '../rule.ts'

export const misplacedThinking = defineRule({
  id: 'misplaced-thinking',
  appliesTo: (facts, format) => facts.thinkingAfterCall !== 'accept' && format.reasoning === 'blocks',
  check(context, report) {
    const answered = context.facts.thinkingAfterCall === 'refuse-answered' ? new Set<Part>() : answeredAtOnce(context)
    for (const message of context.messages) {
      if (message.role !== 'assistant') continue
      const [kept, ...moved] = divide(message.parts, answered)
      const part = moved[0]?.[0]
      if (!part) continue
      const text = 'thinking follows a call in the same message'
      report({ message, part, text, ...(!sharesIds(message) && { fix: dividing(message, kept, moved) }) })
    }
  },
})

export const page: Page = {
  summary:
    'Thinking follows a call in the same message, and no result of that call comes before the assistant speaks again.',
  why: 'The thinking belongs to a later step that was appended to an unfinished one. Thinking between calls whose results follow is left alone: the provider wants the message echoed exactly as it was received.',
  fix: 'The message is split before the thinking, so that each step gets its own results.',
}

/** The calls whose result comes before the next assistant message. */
function answeredAtOnce({ messages, pairing }: RuleContext): Set<Part> {
  const answered = new Set<Part>()
  let position = messages.length
  let next = messages.length
  for (const step of [...pairing.steps].reverse()) {
    for (; position > step.position; position--) if (messages[position]?.role === 'assistant') next = position
    for (const { part, answer } of step.calls)
      if (answer && answer.position > step.position && answer.position < next) answered.add(part)
  }
  return answered
}

const dividing = (message: Message, kept: Part[], moved: readonly Part[][]): Fix => ({
  title: 'split the message before it',
  class: 'lossless',
  apply: draft => {
    draft.update(message.key, now => ({ ...now, parts: kept }))
    let place = message.key
    for (const parts of moved) place = draft.insert(place, { role: 'assistant', parts })
  },
})

/**
 * Two calls with one id need two ids before they are separated: only within one step does their order decide which
 * result is whose.
 */
function sharesIds({ parts }: Message): boolean {
  const ids = parts.flatMap(part => (part.kind === 'call' && part.by === 'client' && part.id !== '' ? [part.id] : []))
  return new Set(ids).size < ids.length
}

function divide(parts: readonly Part[], answered: ReadonlySet<Part>): [Part[], ...Part[][]] {
  let piece: Part[] = []
  const pieces: [Part[], ...Part[][]] = [piece]
  let called = false
  for (const part of parts) {
    if (called && part.kind === 'reasoning') {
      piece = []
      pieces.push(piece)
      called = false
    }
    if (part.kind === 'call' && part.by === 'client' && !answered.has(part)) called = true
    piece.push(part)
  }
  return pieces
}
