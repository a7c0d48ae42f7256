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
        text: `the result of ${shown(name)} does not say its name`,
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
  summary: 'A result does not say the name of its tool.',
  why: 'Where calls have no ids of their own, the name is what ties a result to its call, and an empty one is refused.',
  fix: 'The result takes the name of the call that it answers.',
}
