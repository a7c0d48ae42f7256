import { type ResultPart, resultText, type Wire } from '../conversation.ts'
import type { Call } from '../pairing.ts'
import { defineRule, shown } from '../rule.ts'

export const mismatchedResult = defineRule({
  id: 'mismatched-result',
  severity: 'error',
  summary: 'A result is of another sort than its call.',
  why: 'Calls of different sorts have results of different types, and one does not answer the other.',
  fix: 'The result is written again as the sort that its call demands, with the same words.',
  appliesTo: (_, wire) => wire.reasoning !== 'blocks',
  check(scene, report) {
    for (const { part, call, message, slot } of scene.pairing.results) {
      if (!call || answers(call.part.sort, part.sort, scene.wire)) continue
      report({
        message,
        part,
        callId: part.id,
        text: `a ${part.sort} result stands for the ${call.part.sort} call ${shown(part.id)}`,
        fix: {
          title: `make it a ${call.part.sort} result`,
          class: wordless.has(call.part.sort) ? 'lossy' : 'lossless',
          apply: draft => draft.rewrite(message.key, slot, rewrite(part, call, scene.wire)),
        },
      })
    }
  },
})

/** Sorts whose results are no words. */
const wordless = new Set(['computer', 'tool-search'])

/** A local shell call is answered by either of two types, and where results have no type, by any. */
function answers(call: string, result: string, wire: Wire): boolean {
  if (call === result || (call === 'local-shell' && result === 'function')) return true
  return wire.reasoning === 'field' && call !== 'legacy' && result !== 'legacy'
}

function rewrite(part: ResultPart, { part: call }: Call, wire: Wire): ResultPart {
  const { id, name, sort } = call
  if (wire.reasoning === 'field') return { ...part, id, name, sort: sort === 'legacy' ? sort : 'function' }
  const { raw: _, itemId: __, content, ...rest } = part
  const words = typeof content === 'string' ? content : resultText(part) || JSON.stringify(content ?? '')
  return { ...rest, id, sort, content: words }
}
