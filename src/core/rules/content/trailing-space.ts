import { defineRule, type Page } from '../rule.ts'

export const trailingSpace = defineRule({
  id: 'trailing-space',
  appliesTo: facts => facts.trailingSpace === 'refuse',
  check(context, report) {
    const message = context.cutAfter ? undefined : context.messages.at(-1)
    const part = message?.parts.at(-1)
    if (message?.role !== 'assistant' || part?.kind !== 'text' || part.text === part.text.trimEnd()) return
    if (part.text.trim() === '') return
    report({
      message,
      part,
      text: 'the final assistant message ends in white space',
      fix: {
        title: 'remove the white space',
        class: 'lossless',
        apply: draft => draft.rewrite(message.key, message.parts.length - 1, { ...part, text: part.text.trimEnd() }),
      },
    })
  },
})

export const page: Page = {
  summary: 'The final assistant message ends in white space.',
  why: 'The model is asked to continue from there, and the provider rejects a prefix that ends in white space.',
  fix: 'The white space at its end is removed.',
}
