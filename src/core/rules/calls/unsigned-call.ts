import { defineRule, type Page, shortenId } from '../rule.ts'

export const unsignedCall = defineRule({
  id: 'unsigned-call',
  appliesTo: (facts, format) => facts.signature !== undefined && format.signsCalls === true,
  check(context, report) {
    const signature = context.facts.signature as string
    for (const { message, calls } of context.pairing.steps) {
      const [first] = calls
      if (!first || first.part.signature) continue
      const { part, slot } = first
      report({
        message,
        part,
        callId: part.id,
        text: `the call of ${shortenId(part.name) || 'a tool'} has no signature`,
        fix: {
          title: 'give it the value that replaces a lost signature',
          class: 'synthetic',
          apply: draft => draft.rewrite(message.key, slot, { ...part, signature }),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'The first call of a step has lost its signature.',
  why: 'It was made by another model, or a store dropped the field, and the provider requires the signature.',
  fix: 'The call gets the value that its provider accepts in place of a lost signature. An existing signature is never changed.',
}
