import { type Message, resultOf } from '../../conversation.ts'
import { sharesWith } from '../../sharing.ts'
import { defineRule, type Page } from '../rule.ts'

export const splitResults = defineRule({
  id: 'split-results',
  appliesTo: (_, wire) => wire.shares,
  check(scene, report) {
    const { messages } = scene
    let opener = messages[0]
    for (let position = 1; position < messages.length; position++) {
      const message = messages[position]
      const before = messages[position - 1]
      if (message.role !== 'tool') opener = message
      if (message.role !== 'tool' || before.role !== 'tool' || sharesWith(before, message)) continue
      if (scene.facts.splitResults === 'accept' && areNeighbours(before, message)) continue
      report({
        message,
        part: message.parts[0],
        callId: resultOf(message)?.id ?? '',
        refused: opener,
        text: 'a result is in a different message than the one before it',
        fix: {
          title: 'merge it into that message',
          class: 'lossless',
          apply: draft => draft.update(message.key, now => ({ ...now, sharing: 'together' })),
        },
      })
    }
  },
})

/** Whether they were read as they stand: what a repair puts beside others joins them. */
const areNeighbours = (before: Message, { origin = -1 }: Message): boolean => before.origin === origin - 1

export const page: Page = {
  summary: 'The results of one step are spread over several messages.',
  why: 'The message after the calls must hold all of their results, unless the provider merges messages itself.',
  fix: 'They are merged into one message.',
}
