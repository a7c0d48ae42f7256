import type { Message } from '../../conversation.ts'
import { equal } from '../../json/equal.ts'
import { defineRule, type Page } from '../rule.ts'

export const repeatedUserMessage = defineRule({
  id: 'repeated-user-message',
  severity: 'warning',
  check(scene, report) {
    const { messages, choices } = scene
    for (let position = 1; position < messages.length; position++) {
      const message = messages[position]
      const before = messages[position - 1]
      if (message.role !== 'user' || before.role !== 'user' || !isSame(before, message)) continue
      report({
        message,
        text: 'this user message repeats the one before it',
        ...(choices.repeats === 'drop'
          ? { fix: { title: 'drop it', class: 'lossless' as const, apply: draft => draft.remove(message.key) } }
          : { help: fix }),
      })
    }
  },
})

const fix = 'None, unless the option `repeats` says `drop`: then the later one goes.'

export const page: Page = {
  summary: 'The user says the same twice in a row.',
  why: 'It may be a double click or a retry; it may also be meant.',
  fix,
}

function isSame(a: Message, b: Message): boolean {
  if (a.parts.length !== b.parts.length || a.parts.length === 0) return false
  return a.parts.every((part, index) => {
    const other = b.parts[index]
    return part.kind === 'text' && other.kind === 'text'
      ? part.text === other.text
      : equal(part.raw, other.raw) && part.kind === other.kind
  })
}
