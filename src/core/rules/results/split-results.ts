import { type Message, resultOf } from '../../conversation.ts'
import { sharesWith } from '../../sharing.ts'
import { defineRule, type Page } from '../rule.ts'

export const splitResults = defineRule({
  id: 'split-results',
  appliesTo: (_, format) => format.shares,
  check(context, report) {
    const { messages } = context
    let [opener] = messages
    for (let position = 1; position < messages.length; position++) {
      const message = messages[position]
      const before = messages[position - 1]
      if (message?.role !== 'tool') {
        opener = message
        continue
      }
      if (before?.role !== 'tool' || sharesWith(before, message)) continue
      if (context.facts.splitResults === 'accept' && areNeighbours(before, message)) continue
      const [part] = message.parts
      report({
        message,
        ...(part ? { part } : {}),
        callId: resultOf(message)?.id ?? '',
        ...(opener ? { refused: opener } : {}),
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

/** Whether they are adjacent in the source: messages that a repair placed there are joined anyway. */
const areNeighbours = (before: Message, { origin = -1 }: Message): boolean => before.origin === origin - 1

export const page: Page = {
  summary: 'The results of one step are spread over several messages.',
  why: 'The message after the calls must hold all of their results, unless the provider merges messages itself.',
  fix: 'They are merged into one message.',
}
