import type { Conversation, Message } from '../../core/conversation.ts'
import { sharesWith } from '../../core/sharing.ts'

/** Messages that are written into one message of the format, at least one. */
export type MessageGroup = [Message, ...Message[]]

/** Adjacent messages grouped by the message of the format that they share. */
export function sharedMessages(messages: readonly Message[]): MessageGroup[] {
  const groups: MessageGroup[] = []
  let group: MessageGroup | undefined
  for (const message of messages) {
    if (group && sharesWith(group.at(-1), message)) group.push(message)
    else {
      group = [message]
      groups.push(group)
    }
  }
  return groups
}

/** Whether messages that share a message of the format are all that was read from it, unchanged. */
export function isUntouched(group: Readonly<MessageGroup>, { messages }: Conversation): boolean {
  const [{ key, origin }] = group
  const [first] = messages
  if (!first || origin === undefined) return false
  const index = key - first.key
  if (messages[index - 1]?.origin === origin || messages[index + group.length]?.origin === origin) return false
  return group.every((message, offset) => message === messages[index + offset] && message.origin === origin)
}
