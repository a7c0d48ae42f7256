import { defineRule, type Page } from '../rule.ts'

export const notAHistory = defineRule({
  id: 'not-a-history',
  check(context, report) {
    if (context.unreadable !== undefined) report({ text: context.unreadable, help: fix })
  },
})

const fix = 'None: the value is returned as it is.'

export const page: Page = {
  summary: 'The value is not a history.',
  why: 'Its calls and results cannot be read, so nothing is changed.',
  fix,
}
