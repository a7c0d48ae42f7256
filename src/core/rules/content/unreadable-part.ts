import { type Message, type OtherPart, type Part, resultOf } from '../../conversation.ts'
import { dropParts } from '../../edit.ts'
import { storedElsewhere } from '../../placeholder.ts'
import { defineRule, type Page } from '../rule.ts'

export const unreadablePart = defineRule({
  id: 'unreadable-part',
  check(context, report) {
    const { files, fileStores, resultFileStores } = context.facts
    const { format } = context
    const isStoredElsewhere = (message: Message, part: Part): part is OtherPart & Required<Pick<OtherPart, 'stored'>> =>
      part.kind === 'other' &&
      part.stored !== undefined &&
      (message.role === 'user' || files === 'data') &&
      fileStores?.some(name => part.stored?.by.includes(name)) === false
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
      for (const [slot, part] of resultFileStores ? message.parts.entries() : []) {
        if (part.kind !== 'result' || part.by === 'provider') continue
        const content = format.replaceStoredFiles?.(part.content, resultFileStores ?? []) ?? part.content
        if (content === part.content) continue
        report({
          message,
          part,
          callId: part.id,
          text: 'a file in a result cannot be sent: another provider stores it',
          fix: {
            title: 'replace it by a text that says what was there',
            class: 'lossy',
            apply: draft => draft.rewrite(message.key, slot, { ...part, content }),
          },
        })
      }
      const elsewhere = message.parts.filter(part => isStoredElsewhere(message, part))
      const [stored] = elsewhere
      if (stored)
        report({
          message,
          part: stored,
          text: 'a file that another provider stores cannot be sent',
          fix: {
            title: 'send its URL if it has one, or else a text that says what was there',
            class: 'lossy',
            apply: draft =>
              draft.update(message.key, now => ({
                ...now,
                parts: now.parts.map(part => (isStoredElsewhere(message, part) ? withoutStore(part) : part)),
              })),
          },
        })
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

function withoutStore({ stored, ...part }: OtherPart & Required<Pick<OtherPart, 'stored'>>): Part {
  if (stored.without !== undefined) return { ...part, raw: stored.without }
  return { kind: 'text', text: storedElsewhere(stored.by) }
}

export const page: Page = {
  summary: 'A part of a message cannot be sent, and the library that reads it fails.',
  why: 'A store kept a null or an incomplete part, and the library that reads its type or its text throws, on every replay.',
  fix: 'The part is removed; its content is in the report. A file that only another provider stores becomes a short text that says what was there.',
}

const saysNothing = ({ raw }: Part): boolean =>
  raw === undefined ||
  raw === null ||
  raw === '' ||
  (typeof raw === 'object' && Object.keys(raw).every(key => key === 'type'))
