import { bridgeTexts } from '../placeholder.ts'
import { defineRule, type Page } from '../rule.ts'

export const missingUser = defineRule({
  id: 'missing-user',
  appliesTo: facts => facts.noUser !== 'accept',
  check(scene, report) {
    const { messages, choices, facts } = scene
    const last = messages.at(-1)
    if (scene.cutBefore || scene.cutAfter || scene.continues) return
    if (!last || choices.pending !== 'answer' || messages.some(message => message.role === 'user')) return
    if (messages.every(message => message.role === 'other')) return
    if (facts.noUser === 'refuse-alone' && messages.some(({ role }) => role !== 'system' && role !== 'other')) return
    report({
      message: last,
      text: 'no message is of the user',
      fix: {
        title: 'put a short user message at the end',
        class: 'synthetic',
        apply: draft => {
          draft.insert(last.key, { role: 'user', parts: [{ kind: 'text', text: bridgeTexts.user }] })
        },
      },
    })
  },
})

export const page: Page = {
  summary: 'There is no user message.',
  why: 'The reader wants a question to answer.',
  fix: 'A short user message stands at the end: "(continue)".',
}
