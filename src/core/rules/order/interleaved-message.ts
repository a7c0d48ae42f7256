import type { Message } from '../../conversation.ts'
import { mergeMessages } from '../../merge-messages.ts'
import { findPlacement, moveToCall, resultSlots } from '../../pairing/placement.ts'
import { callLabel, defineRule, type Page } from '../rule.ts'

export const interleavedMessage = defineRule({
  id: 'interleaved-message',
  check(context, report) {
    const slots = resultSlots(context.messages)
    const { outOfPlace, split } = findPlacement(context)
    for (const { step, texts } of split) {
      report({
        message: texts[0] ?? step.message,
        callId: step.calls[0]?.part.id ?? '',
        refused: step.message,
        text: 'assistant text comes between calls and one of their results',
        fix: {
          title: 'move it into the calling message, before the calls',
          class: 'lossless',
          apply: draft => {
            draft.update(step.message.key, (now: Message) => mergeMessages([now, ...texts]))
            for (const text of texts) draft.remove(text.key)
          },
        },
      })
    }
    for (const { call, result, cause, intruder } of outOfPlace) {
      if (cause !== 'interleaved') continue
      report({
        message: intruder ?? result.message,
        callId: call.part.id,
        refused: call.step.message,
        text: `${article(intruder)} comes between ${callLabel(call.part.id)} and its result`,
        fix: {
          title: 'move it after the result',
          class: 'lossless',
          apply: moveToCall(slots, call, result),
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A message comes between a call and its result.',
  why: 'The results of a step must follow its calls directly; after any other message they count as missing.',
  fix: 'A user or system message moves after the results. Assistant text that was split off moves back into the calling message, before the calls.',
}

const article = (message: Message | undefined): string =>
  message === undefined || message.role === 'other' ? 'a message' : `a ${message.role} message`
