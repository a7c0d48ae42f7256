import { equal } from '../equal.ts'
import { isPlaceholder } from '../placeholder.ts'
import { defineRule, shown } from '../rule.ts'

export const duplicateResult = defineRule({
  id: 'duplicate-result',
  severity: 'error',
  summary: 'A call has more than one result.',
  why: 'Every call must be answered once.',
  fix: 'The real result beats a placeholder, an observation beats an error before the assistant went on, and otherwise the first one stays.',
  appliesTo: () => true,
  check(scene, report) {
    for (const { part: call, results, answer } of scene.pairing.calls) {
      if (results.length < 2) continue
      for (const { message, part } of results) {
        if (!answer || part === answer.part) continue
        const wordless = equal(part.content, answer.part.content) || isPlaceholder(part)
        report({
          message,
          part,
          callId: call.id,
          text: `call ${shown(call.id)} has another result`,
          fix: {
            title: wordless ? 'drop this one, which says nothing more' : 'drop this one',
            class: wordless ? 'lossless' : 'lossy',
            apply: draft => draft.remove(message.key),
          },
        })
      }
    }
  },
})
