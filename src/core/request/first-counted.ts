import { isRecord } from '../conversation.ts'
import { surveyRequest } from './survey.ts'

/**
 * The index of the first message with something that a limit counts over a whole request, or compares with its other fields: media, cache
 * marks and points, references to tools. The number of messages if there is none.
 */
export function firstCountedMessage(history: readonly unknown[]): number {
  const { media, marks, references } = surveyRequest(history, '')
  const first = Math.min(
    ...[media, marks, references].map(found => found[0]?.message ?? history.length),
    history.findIndex(hasCachePoint) >>> 0,
  )
  return Math.min(first, history.length)
}

const hasCachePoint = (message: unknown): boolean =>
  isRecord(message) &&
  Array.isArray(message.content) &&
  message.content.some(block => isRecord(block) && block.cachePoint !== undefined)
