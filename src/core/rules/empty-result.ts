import { resultOf } from '../conversation.ts'
import { bridgeTexts } from '../placeholder.ts'
import { defineRule, shown } from '../rule.ts'

export const emptyResult = defineRule({
  id: 'empty-result',
  severity: 'error',
  summary: 'A result has no content.',
  why: 'Readers want a text; some also refuse an empty one.',
  fix: 'Content that is null or absent becomes an empty text, or "(no output)" where that is refused.',
  appliesTo: (facts, wire) => facts.emptyResult === 'refuse' || (facts.emptyMessage !== 'accept' && !wire.shares),
  check(scene, report) {
    const wordsWanted = scene.facts.emptyResult === 'refuse'
    for (const message of scene.messages) {
      const result = resultOf(message)
      if (!result || result.by === 'provider' || !textual.has(result.sort)) continue
      const { content } = result
      const nothing = content === undefined || content === null
      const empty = nothing || content === '' || (Array.isArray(content) && content.length === 0)
      if (wordsWanted ? !empty : !nothing || scene.wire.shares) continue
      const text = wordsWanted ? bridgeTexts.result : ''
      report({
        message,
        part: result,
        callId: result.id,
        text: `the result of call ${shown(result.id)} has no content`,
        fix: {
          title: wordsWanted ? `let it say "${text}"` : 'make it an empty text',
          class: wordsWanted ? 'synthetic' : 'lossless',
          apply: draft => draft.update(message.key, now => ({ ...now, parts: [{ ...result, content: text }] })),
        },
      })
    }
  },
})

/** Results of other sorts have a shape of their own. */
const textual = new Set(['function', 'custom', 'local-shell', 'legacy'])
