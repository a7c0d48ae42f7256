import { sortsWithoutText } from '../../conversation.ts'
import { defineRule, type Page, shortenId } from '../rule.ts'

export const malformedResult = defineRule({
  id: 'malformed-result',
  appliesTo: (facts, format) => facts.malformedResult === 'refuse' || format.formsResults === true,
  check(context, report) {
    for (const message of context.messages) {
      for (const [slot, part] of message.parts.entries()) {
        if (part.kind !== 'result' || !part.malformed) continue
        const isWordless = sortsWithoutText.has(part.sort)
        report({
          message,
          part,
          callId: part.id,
          text: `the result of ${shortenId(part.name ?? '') || 'a call'} has a form that the format does not allow`,
          fix: {
            title: isWordless ? 'replace it by an empty one, unless it names an image' : 'wrap the content',
            class: isWordless ? 'lossy' : 'lossless',
            apply: draft => {
              const { malformed: _, ...rest } = part
              draft.rewrite(message.key, slot, rest)
            },
          },
        })
      }
    }
  },
})

export const page: Page = {
  summary: 'The content of a result has a form that the format does not allow.',
  why: 'A tool returned a string or a list where the provider requires an object, and the whole request is rejected.',
  fix: 'The content is wrapped whole, in a form that the format allows. Text in place of a screenshot becomes an empty screenshot.',
}
