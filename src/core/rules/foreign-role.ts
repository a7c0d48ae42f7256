import { defineRule } from '../rule.ts'

export const foreignRole = defineRule({
  id: 'foreign-role',
  severity: 'error',
  summary: 'A system message has the role name developer.',
  why: 'Only some readers know that name.',
  fix: 'The message gets the role name system.',
  appliesTo: (facts, wire) => facts.developer === 'refuse' && wire.system === 'message',
  check(scene, report) {
    for (const message of scene.messages) {
      if (!message.developer) continue
      report({
        message,
        text: 'the role developer is not known',
        fix: {
          title: 'call it system',
          class: 'lossless',
          apply: draft => draft.update(message.key, ({ developer: _, ...now }) => now),
        },
      })
    }
  },
})
