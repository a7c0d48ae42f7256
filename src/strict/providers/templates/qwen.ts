import { entryText, type HistoryEntry } from '../../judge/entry.ts'
import { reject } from '../../judge/rejection-reason.ts'
import type { Validator } from '../../judge/validator.ts'

/** The chat templates of Qwen 3.5 and later. They do not check pairs. */
export const validateQwenTemplate: Validator = chat => {
  if (chat.length === 0) return [reject('tp-no-messages', 'No messages provided.', 'messages')]
  return [
    ...(chat.some(isQuery) ? [] : [reject('tp-no-user', 'No user query found in messages.', 'messages')]),
    ...chat.flatMap(({ role, at }, place) => {
      if (!roles.includes(role)) return [reject('tp-role', 'Unexpected message role.', at)]
      const isLate = role === 'system' && place > 0
      return isLate ? [reject('tp-system-first', 'System message must be at the beginning.', at)] : []
    }),
  ]
}

const roles = ['system', 'user', 'assistant', 'tool']

/** A user message that is not a wrapped tool response. */
function isQuery(entry: HistoryEntry): boolean {
  const text = entryText(entry).trim()
  return entry.role === 'user' && !(text.startsWith('<tool_response>') && text.endsWith('</tool_response>'))
}
