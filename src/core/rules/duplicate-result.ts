import { dropParts } from '../edit.ts'
import { equal } from '../equal.ts'
import type { Result } from '../pairs.ts'
import { isPlaceholder } from '../placeholder.ts'
import { callOf, defineRule, type Finding, type Page } from '../rule.ts'

export const duplicateResult = defineRule({
  id: 'duplicate-result',
  check(scene, report) {
    for (const { results, answer } of scene.pairing.calls) {
      if (!answer || results.length < 2) continue
      for (const result of results) if (result !== answer) report(another(result, answer))
    }
    if (!scene.continues) return
    const first = new Map<string, Result>()
    for (const result of scene.pairing.results) {
      if (result.call || result.part.id === '') continue
      const answer = first.get(result.part.id)
      if (answer) report(another(result, answer))
      else first.set(result.part.id, result)
    }
  },
})

export const page: Page = {
  summary: 'A call has more than one result.',
  why: 'Every call must be answered once.',
  fix: 'The real result beats a placeholder, an observation beats an error before the assistant went on, and otherwise the first one stays.',
}

function another({ message, part }: Result, answer: Result): Finding {
  const wordless = equal(part.content, answer.part.content) || isPlaceholder(part)
  return {
    message,
    part,
    callId: part.id,
    text: `${callOf(part.id)} has another result`,
    fix: {
      title: wordless ? 'drop this one, which says nothing more' : 'drop this one',
      class: wordless ? 'lossless' : 'lossy',
      apply: draft => dropParts(draft, message.key, [part]),
    },
  }
}
