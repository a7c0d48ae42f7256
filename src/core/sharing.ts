import type { Message } from './conversation.ts'

/**
 * Whether a message stands in the same wire message as the one before it, on wires where results and user content can share one:
 * those that were read from one message still do while they stand together, unless a rule said otherwise.
 */
export function sharesWith(before: Message | undefined, message: Message): boolean {
  if (!before || !canShare(before) || !canShare(message) || message.sharing === 'apart') return false
  return message.sharing === 'together' || (message.origin !== undefined && message.origin === before.origin)
}

const canShare = (message: Message): boolean => message.role !== 'assistant' && message.role !== 'other'
