import type { Part } from '../conversation.ts'
import { dropParts } from '../edit.ts'
import { defineRule, type Page } from '../rule.ts'

export const unreadablePart = defineRule({
  id: 'unreadable-part',
  check(scene, report) {
    for (const message of scene.messages) {
      const broken = message.parts.filter(part => part.kind === 'other' && part.unreadable)
      if (broken.length === 0) continue
      report({
        message,
        part: broken[0],
        text: broken.length > 1 ? `${broken.length} parts cannot be read` : 'a part cannot be read',
        fix: {
          title: 'leave it out',
          class: broken.every(saysNothing) ? 'lossless' : 'lossy',
          apply: draft => dropParts(draft, message.key, broken),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A part of a message is nothing that the wire knows, and its reader fails on it.',
  why: 'A store left a hole or half a part behind, and the library that looks for its type or its text throws, on every replay.',
  fix: 'The part goes. It is in the report, if it says anything at all.',
}

const saysNothing = ({ raw }: Part): boolean =>
  raw === undefined || raw === null || raw === '' || (typeof raw === 'object' && Object.keys(raw).length === 0)
