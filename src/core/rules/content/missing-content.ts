import { type Blank, blankOf, hasClientCall } from '../../conversation.ts'
import type { Facts } from '../../dialect.ts'
import { defineRule, type Page } from '../rule.ts'

export const missingContent = defineRule({
  id: 'missing-content',
  appliesTo: (facts, format) => format.contentKey && facts.contentBesideCalls !== 'any',
  check(context, report) {
    const wanted = wantedBlanks[context.facts.contentBesideCalls as keyof typeof wantedBlanks]
    for (const message of context.messages) {
      if (message.role !== 'assistant' || !hasClientCall(message)) continue
      const blank = blankOf(message)
      if (blank === undefined || wanted.includes(blank)) continue
      report({
        message,
        text: `content is ${descriptions[blank]} beside calls`,
        fix: {
          title: `make it ${descriptions[wanted[0]]}`,
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

const descriptions: Record<Blank, string> = { missing: 'absent', null: 'null', empty: 'an empty text' }

const wantedBlanks: Record<Exclude<Facts['contentBesideCalls'], 'any'>, [Blank, ...Blank[]]> = {
  'null-or-text': ['null', 'empty'],
  text: ['empty'],
  'nothing-or-words': ['missing', 'null'],
}
