import type { Message } from './conversation.ts'

/**
 * Whether a message belongs to the same source message as the one before it, in formats where results and user content
 * can share one. Messages decoded from one source message still share it while they are adjacent, unless a rule set
 * `sharing`.
 */
export function sharesWith(before: Message | undefined, message: Message): boolean {
  if (!before || !canShare(before) || !canShare(message) || message.sharing === 'apart') return false
  return message.sharing === 'together' || (message.origin !== undefined && message.origin === before.origin)
}

const canShare = (message: Message): boolean => message.role !== 'assistant' && message.role !== 'other'
