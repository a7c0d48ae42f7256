import { defineRule } from '../rule.ts'

export const systemRole = defineRule({
  id: 'system-role',
  severity: 'error',
  summary: 'A system message stands in a list that has no place for it.',
  why: 'The wire has a field of its own for the system prompt, and refuses the role in the list.',
  fix: 'The message becomes one of the user, word for word.',
  appliesTo: (_, wire) => wire.system === 'none',
  check(scene, report) {
    const { messages, facts } = scene
    for (let position = 0; position < messages.length; position++) {
      const message = messages[position]
      if (message.role !== 'system') continue
      const before = messages[position - 1]?.role
      const after = messages[position + 1]?.role
      const follows = (before === 'user' || before === 'tool') && (after === undefined || after === 'assistant')
      if (facts.systemRole === 'after-user' && follows) continue
      report({
        message,
        text: 'the role system is not known here',
        fix: {
          title: 'make it a user message',
          class: 'lossless',
          apply: draft => draft.update(message.key, ({ developer: _, ...now }) => ({ ...now, role: 'user' })),
        },
      })
    }
  },
})
