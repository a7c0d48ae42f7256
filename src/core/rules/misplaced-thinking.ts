import type { Message, Part } from '../conversation.ts'
import { defineRule, type Fix, type Page } from '../rule.ts'

export const misplacedThinking = defineRule({
  id: 'misplaced-thinking',
  appliesTo: (facts, wire) => facts.thinkingAfterCall === 'refuse' && wire.reasoning === 'blocks',
  check(scene, report) {
    for (const message of scene.messages) {
      if (message.role !== 'assistant') continue
      const pieces = divide(message.parts)
      if (pieces.length < 2) continue
      const text = 'thinking stands behind a call in the same message'
      report({ message, part: pieces[1][0], text, ...(!sharesIds(message) && { fix: dividing(message, pieces) }) })
    }
  },
})

export const page: Page = {
  summary: 'Thinking stands behind a call in the same message.',
  why: 'It belongs to a later step that was appended to an unfinished one, and the calls in front of it count as unanswered.',
  fix: 'The message is divided in front of the thinking, so that each step gets its own results.',
}

const dividing = (message: Message, pieces: readonly Part[][]): Fix => ({
  title: 'divide the message in front of it',
  class: 'lossless',
  apply: draft => {
    draft.update(message.key, now => ({ ...now, parts: pieces[0] }))
    let place = message.key
    for (const parts of pieces.slice(1)) place = draft.insert(place, { role: 'assistant', parts })
  },
})

/** Two calls with one id must have two before they are parted: only in one step their order tells which result is whose. */
function sharesIds({ parts }: Message): boolean {
  const ids = parts.flatMap(part => (part.kind === 'call' && part.by === 'client' && part.id !== '' ? [part.id] : []))
  return new Set(ids).size < ids.length
}

function divide(parts: readonly Part[]): Part[][] {
  const pieces: Part[][] = [[]]
  let called = false
  for (const part of parts) {
    if (called && part.kind === 'reasoning') {
      pieces.push([])
      called = false
    }
    if (part.kind === 'call' && part.by === 'client') called = true
    pieces[pieces.length - 1].push(part)
  }
  return pieces
}
