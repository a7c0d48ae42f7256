import { type OtherPart, type Part, resultOf } from '../../conversation.ts'
import { dropParts } from '../../edit.ts'
import { defineRule, type Page } from '../rule.ts'

export const unreadablePart = defineRule({
  id: 'unreadable-part',
  check(context, report) {
    const { files } = context.facts
    const fails = ({ file, host }: OtherPart): boolean =>
      (files === 'none' && (file ?? host) !== undefined) ||
      (files === 'data' && file === 'url') ||
      (files === 'web' && file === 'neither')
    for (const message of context.messages) {
      const result = files === 'web' ? resultOf(message) : undefined
      if (result?.sendable !== undefined) {
        const { sendable: content, ...rest } = result
        report({
          message,
          part: result,
          callId: result.id,
          text: 'a file in a result cannot be sent',
          fix: {
            title: 'remove it',
            class: 'lossy',
            apply: draft => draft.update(message.key, now => ({ ...now, parts: [{ ...rest, content }] })),
          },
        })
      }
      const broken = message.parts.filter(part => part.kind === 'other' && (part.unreadable || fails(part)))
      const [first] = broken
      if (!first) continue
      report({
        message,
        part: first,
        text: broken.length > 1 ? `${broken.length} parts cannot be read` : 'a part cannot be read',
        fix: {
          title: 'remove it',
          class: broken.every(saysNothing) ? 'lossless' : 'lossy',
          apply: draft => dropParts(draft, message.key, broken),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A part of a message cannot be sent, and the library that reads it fails.',
  why: 'A store kept a null or an incomplete part, and the library that reads its type or its text throws, on every replay.',
  fix: 'The part is removed; its content is in the report.',
}

const saysNothing = ({ raw }: Part): boolean =>
  raw === undefined ||
  raw === null ||
  raw === '' ||
  (typeof raw === 'object' && Object.keys(raw).every(key => key === 'type'))
