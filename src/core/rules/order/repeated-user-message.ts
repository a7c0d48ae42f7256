import type { Message } from '../../conversation.ts'
import { equal } from '../../json/equal.ts'
import { defineRule, type Page } from '../rule.ts'

export const repeatedUserMessage = defineRule({
  id: 'repeated-user-message',
  severity: 'warning',
  check(context, report) {
    const { messages, choices } = context
    for (let position = 1; position < messages.length; position++) {
      const message = messages[position]
      const before = messages[position - 1]
      if (message?.role !== 'user' || before?.role !== 'user' || !isSame(before, message)) continue
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

const fix = 'None, unless the option `repeats` is `drop`: then the later message is removed.'

export const page: Page = {
  summary: 'A user message is repeated.',
  why: 'It may be a double click or a retry; it may also be intended.',
  fix,
}

function isSame(a: Message, b: Message): boolean {
  if (a.parts.length !== b.parts.length || a.parts.length === 0) return false
  return a.parts.every((part, index) => {
    const other = b.parts[index]
    return part.kind === 'text' && other?.kind === 'text'
      ? part.text === other.text
      : equal(part.raw, other?.raw) && part.kind === other?.kind
  })
}
