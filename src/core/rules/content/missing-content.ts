import { type Blank, blankOf, hasClientCall } from '../../conversation.ts'
import type { Facts } from '../../dialect.ts'
import { defineRule, type Page } from '../rule.ts'

export const missingContent = defineRule({
  id: 'missing-content',
  appliesTo: (facts, wire) => wire.contentKey && facts.contentBesideCalls !== 'any',
  check(scene, report) {
    const wanted = wantedBlanks[scene.facts.contentBesideCalls as keyof typeof wantedBlanks]
    for (const message of scene.messages) {
      if (message.role !== 'assistant' || !hasClientCall(message)) continue
      const blank = blankOf(message)
      if (blank === undefined || wanted.includes(blank)) continue
      report({
        message,
        text: `content is ${words[blank]} beside calls`,
        fix: {
          title: `make it ${words[wanted[0]]}`,
          class: 'lossless',
          apply: draft => draft.update(message.key, now => ({ ...now, blank: wanted[0] })),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A message with calls and no text has its content in a form that the provider rejects.',
  why: 'Some providers require the content key, some require a string, some reject an empty string.',
  fix: 'The content becomes null, an empty string or absent, as the provider requires.',
}

const words: Record<Blank, string> = { missing: 'absent', null: 'null', empty: 'an empty text' }

const wantedBlanks: Record<Exclude<Facts['contentBesideCalls'], 'any'>, Blank[]> = {
  'null-or-text': ['null', 'empty'],
  text: ['empty'],
  'nothing-or-words': ['missing', 'null'],
}
