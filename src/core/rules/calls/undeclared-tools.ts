import { defineRule, type Page } from '../rule.ts'

export const undeclaredTools = defineRule({
  id: 'undeclared-tools',
  appliesTo: facts => facts.undeclaredTools === 'refuse',
  check(context, report) {
    if (context.settings?.tools !== 'none' || context.continues) return
    const { calls } = context.pairing
    const [first] = calls
    if (!first) return
    const { step, part } = first
    const names = [...new Set(calls.map(call => call.part.name).filter(name => name !== ''))]
    if (names.length === 0) return
    report({
      message: step.message,
      part,
      callId: part.id,
      text: 'the history has calls, and the request declares no tools',
      fix: {
        title: `declare ${names.join(', ')} by name`,
        class: 'synthetic',
        apply: draft => draft.set({ tools: names }),
      },
    })
  },
})

export const page: Page = {
  summary: 'The history has calls, and the request declares no tools at all.',
  why: 'A summary or a side question is requested without tools, and the provider rejects a history that used some.',
  fix: 'The request declares the tools that the history uses, by name only, and tells the model to call none where the API allows that.',
}
