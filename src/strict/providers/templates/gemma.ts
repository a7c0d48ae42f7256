import { type RejectionReason, reject } from '../../judge/rejection-reason.ts'
import type { Validator } from '../../judge/validator.ts'

/** Gemma's chat templates: user and assistant alternate; results, and the assistant's text after them, are its side. */
export const validateGemmaTemplate: Validator = chat => {
  const found: RejectionReason[] = []
  let previous: string | undefined
  for (const { role, at } of chat[0]?.role === 'system' ? chat.slice(1) : chat) {
    if (!allowedAfter.get(role)?.includes(previous)) found.push(reject('tp-alt-gemma', alternateText, at))
    previous = role
  }
  return found
}

const alternateText = 'Conversation roles must alternate user/assistant/user/assistant/...'

/** What may directly precede a role; undefined is the start. */
const allowedAfter = new Map(
  Object.entries<(string | undefined)[]>({
    user: [undefined, 'assistant', 'tool'],
    assistant: ['user', 'tool'],
    tool: ['user', 'assistant', 'tool'],
  }),
)
