import { followsUser, type Message, textOf } from '../../conversation.ts'
import { front } from '../../edit.ts'
import { defineRule, type Page } from '../rule.ts'

export const systemNotFirst = defineRule({
  id: 'system-not-first',
  appliesTo: (facts, wire) => facts.system !== 'anywhere' && wire.system === 'message',
  check(scene, report) {
    const { messages } = scene
    const leading = new Set<string | undefined>()
    let lead = 0
    while (messages[lead]?.role === 'system') leading.add(words(messages[lead++]))
    const moved = new Set<Message>()
    let place = lead === 0 ? front : messages[lead - 1].key
    for (let position = lead; position < messages.length; position++) {
      const message = messages[position]
      if (message.role !== 'system') continue
      const before = messages[position - 1].role
      if (scene.facts.system === 'not-after-assistant' && before !== 'assistant' && before !== 'tool') {
        if (before !== 'system' || !moved.has(messages[position - 1])) continue
      }
      if (scene.facts.system === 'after-user' && followsUser(messages, position)) continue
      moved.add(message)
      const said = words(message)
      const repeats = said !== undefined && leading.has(said)
      leading.add(said)
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

/** What a message says, if it holds nothing but text. */
const words = (message: Message): string | undefined =>
  message.parts.every(part => part.kind === 'text') ? textOf(message) : undefined
