import { type Entry, textOf } from '../../judge/entry.ts'
import { refuse } from '../../judge/objection.ts'
import type { Validator } from '../../judge/validator.ts'

/** The chat templates of Qwen 3.5 and later. They do not look at pairs. */
export const qwenTemplate: Validator = chat => {
  if (chat.length === 0) return [refuse('tp-no-messages', 'No messages provided.', 'messages')]
  return [
    ...(chat.some(isQuery) ? [] : [refuse('tp-no-user', 'No user query found in messages.', 'messages')]),
    ...chat.flatMap(({ role, at }, place) => {
      if (!roles.includes(role)) return [refuse('tp-role', 'Unexpected message role.', at)]
      const isLate = role === 'system' && place > 0
      return isLate ? [refuse('tp-system-first', 'System message must be at the beginning.', at)] : []
    }),
  ]
}

const roles = ['system', 'user', 'assistant', 'tool']

/** A user message that is no wrapped tool response. */
function isQuery(entry: Entry): boolean {
  const text = textOf(entry).trim()
  return entry.role === 'user' && !(text.startsWith('<tool_response>') && text.endsWith('</tool_response>'))
}
