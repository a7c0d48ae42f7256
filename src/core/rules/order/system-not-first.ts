import { followsUser, type Message, messageText } from '../../conversation.ts'
import { front, type MessagePlace } from '../../edit.ts'
import { defineRule, type Page } from '../rule.ts'

export const systemNotFirst = defineRule({
  id: 'system-not-first',
  appliesTo: (facts, format) => facts.system !== 'anywhere' && format.system === 'message',
  check(context, report) {
    const { messages } = context
    const leading = new Set<string | undefined>()
    let lead = 0
    let place: MessagePlace = front
    for (let message = messages[0]; message?.role === 'system'; message = messages[++lead]) {
      leading.add(onlyText(message))
      place = message.key
    }
    const moved = new Set<Message>()
    for (let position = lead; position < messages.length; position++) {
      const message = messages[position]
      const before = messages[position - 1]
      if (message?.role !== 'system') continue
      if (context.facts.system === 'not-after-assistant' && before?.role !== 'assistant' && before?.role !== 'tool') {
        if (before?.role !== 'system' || !moved.has(before)) continue
      }
      if (context.facts.system === 'after-user' && followsUser(messages, position)) continue
      moved.add(message)
      const text = onlyText(message)
      const repeats = text !== undefined && leading.has(text)
      leading.add(text)
      report({
        message,
        text: 'a system message is not at the beginning',
        fix: {
          title: repeats ? 'remove it: it is at the beginning already' : 'move it to the beginning',
          class: 'lossless',
          apply: draft => {
            if (repeats) draft.remove(message.key)
            else {
              draft.move(message.key, place)
              place = message.key
            }
          },
        },
      })
    }
  },
})

export const page: Page = {
  summary: 'A system message is in a position that the provider rejects.',
  why: 'Many chat templates accept it only at the beginning; some providers reject it after an assistant message or a result.',
  fix: 'It moves to the other system messages at the beginning, in order. A repetition is removed.',
}

/** The text of a message, if it holds only text. */
const onlyText = (message: Message): string | undefined =>
  message.parts.every(part => part.kind === 'text') ? messageText(message) : undefined
