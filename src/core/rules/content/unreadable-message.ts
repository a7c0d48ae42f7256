import { defineRule, type Page } from '../rule.ts'

export const unreadableMessage = defineRule({
  id: 'unreadable-message',
  severity: 'warning',
  check(scene, report) {
    for (const message of scene.messages) {
      if (message.role === 'other' && message.parts.length === 0)
        report({ message, text: 'this message cannot be read', help: fix })
    }
  },
})

const fix = 'None: the message stays as it is and where it is.'

export const page: Page = {
  summary: 'A message has a shape that is not known.',
  why: 'It may be new or broken. It stays as it is, and nothing is promised for it.',
  fix,
}
