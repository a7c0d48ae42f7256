import { defineRule, type Page, shown } from '../rule.ts'

export const unnamedResult = defineRule({
  id: 'unnamed-result',
  appliesTo: (_, wire) => wire.namesResults === true,
  check(scene, report) {
    for (const { part, call, message, slot } of scene.pairing.results) {
      if (part.name || !call?.part.name) continue
      const { name } = call.part
      report({
        message,
        part,
        callId: part.id,
        text: `the result of ${shown(name)} has no tool name`,
        fix: {
          title: `name it ${shown(name)}`,
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
  fix: 'The result takes the name of the call that it answers.',
}
