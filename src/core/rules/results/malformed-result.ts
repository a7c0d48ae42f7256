import { wordlessSorts } from '../../conversation.ts'
import { defineRule, type Page, shown } from '../rule.ts'

export const malformedResult = defineRule({
  id: 'malformed-result',
  appliesTo: (facts, wire) => facts.malformedResult === 'refuse' || wire.formsResults === true,
  check(scene, report) {
    for (const message of scene.messages) {
      for (const [slot, part] of message.parts.entries()) {
        if (part.kind !== 'result' || !part.malformed) continue
        const isWordless = wordlessSorts.has(part.sort)
        report({
          message,
          part,
          callId: part.id,
          text: `the result of ${shown(part.name ?? '') || 'a call'} has a form that is not known`,
          fix: {
            title: isWordless ? 'put an empty one in its place, unless it names an image' : 'wrap what is there',
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
  summary: 'The content of a result has a form that the wire does not know.',
  why: 'A tool gave back a bare text or a list where the reader takes an object, and the whole request is refused.',
  fix: 'What is there is wrapped whole, in the form that the wire has for it. Words where a screenshot belongs give way to an empty one.',
}
