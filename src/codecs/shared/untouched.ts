import type { Conversation, Message } from '../../core/conversation.ts'

/** Whether messages that share a message of the format are all that was read from it, unchanged. */
export function isUntouched(group: readonly Message[], { messages }: Conversation): boolean {
  const { key, origin } = group[0]
  const index = key - messages[0].key
  if (
    origin === undefined ||
    messages[index - 1]?.origin === origin ||
    messages[index + group.length]?.origin === origin
  )
    return false
  return group.every((message, offset) => message === messages[index + offset] && message.origin === origin)
}
