import { isRecord } from '../../../core/conversation.ts'
import type { StoredMessage, StoredRecord } from './records.ts'

/**
 * The assistant's message that is the first that the program sends; undefined if a user message is, or if there is a
 * compaction.
 */
export function firstSentByAssistant(messages: readonly StoredMessage[]): StoredMessage | undefined {
  if (messages.some(({ parts }) => parts.some(({ value }) => value?.type === 'compaction'))) return undefined
  for (const message of messages) {
    if (message.value?.role === 'user' && message.parts.some(isSentByUser)) return undefined
    if (message.value?.role === 'assistant' && isSent(message)) return message
  }
  return undefined
}

function isSentByUser({ value }: StoredRecord): boolean {
  if (value?.type === 'text') return value.ignored !== true && value.text !== ''
  if (value?.type === 'file') return value.mime !== 'text/plain' && value.mime !== 'application/x-directory'
  return value?.type === 'subtask'
}

/** A message that ended in an error is not sent, unless the user stopped it. */
export const hasFailed = ({ value }: StoredMessage): boolean =>
  isRecord(value?.error) && value.error.name !== 'MessageAbortedError'

function isSent(message: StoredMessage): boolean {
  if (hasFailed(message)) return false
  return message.parts.some(({ value }) => value?.type === 'tool' || (value?.type === 'text' && value.text !== ''))
}
