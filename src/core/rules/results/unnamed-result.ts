import { defineRule, type Page, shortenId } from '../rule.ts'

export const unnamedResult = defineRule({
  id: 'unnamed-result',
  appliesTo: (_, format) => format.namesResults === true,
  check(context, report) {
    for (const { part, call, message, slot } of context.pairing.results) {
      if (part.name) continue
      if (!call && context.continues && part.id !== '')
        report({
          message,
          part,
          callId: part.id,
          text: `the result of the stored call ${shortenId(part.id)} has no tool name`,
          help: 'add the name of its tool: the call is stored by the provider, and its name is not in the request',
        })
      if (!call?.part.name) continue
      const { name } = call.part
      report({
        message,
        part,
        callId: part.id,
        text: `the result of ${shortenId(name)} has no tool name`,
        fix: {
          title: `name it ${shortenId(name)}`,
          class: 'lossless',
          apply: draft => draft.rewrite(message.key, slot, { ...part, name }),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A result has no tool name.',
  why: 'Where calls have no ids, the name matches a result to its call, and an empty name is rejected.',
  fix: 'The result takes the name of the call that it answers. If that call is stored by the provider, the result is only reported.',
}
