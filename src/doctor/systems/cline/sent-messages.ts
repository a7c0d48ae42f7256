import { isRecord } from '../../../core/conversation.ts'
import type { RecordFields } from '../../record-format.ts'

/** A message that is sent, and its index in the task. */
export interface SentMessage {
  readonly index: number
  readonly message: unknown
}

/**
 * The messages of a task that the program sends. Roo Code and its forks keep those that a summary replaced, or that no longer fit, with the
 * id of the summary or marker that stands for them; and reasoning of some models as an element of its own. Cline leaves out a range of
 * `deleted` messages, which begins after the first answer and is known by its indexes: no message before its end may be added or removed.
 */
export function sentMessages(messages: readonly unknown[], deleted: number): SentMessage[] {
  const summaries = idsOf(messages, 'isSummary', 'condenseId')
  const markers = idsOf(messages, 'isTruncationMarker', 'truncationId')
  return messages.flatMap((message, index) =>
    index < deleted || (isRecord(message) && (isBareReasoning(message) || isHidden(message, summaries, markers)))
      ? []
      : [{ index, message }],
  )
}

const idsOf = (messages: readonly unknown[], mark: string, key: string): ReadonlySet<unknown> =>
  new Set(messages.flatMap(one => (isRecord(one) && one[mark] === true && one[key] ? [one[key]] : [])))

const isHidden = (
  { condenseParent, truncationParent }: RecordFields,
  summaries: ReadonlySet<unknown>,
  markers: ReadonlySet<unknown>,
): boolean => summaries.has(condenseParent) || markers.has(truncationParent)

/** Reasoning of OpenAI's models, which has no role. */
export const isBareReasoning = ({ role, type }: RecordFields): boolean => role === undefined && type === 'reasoning'

/**
 * The messages without results of which no call is sent, if messages were deleted or the last summary is a user message: then the program
 * leaves them out, since the calls were deleted or summarized.
 */
export function withoutStrayResults(sent: readonly SentMessage[], deleted: number): readonly SentMessage[] {
  const summary = sent.findLast(({ message }) => isRecord(message) && message.isSummary === true)?.message
  if (deleted === 0 && !(isRecord(summary) && summary.role === 'user')) return sent
  const calls = new Set(
    sent.flatMap(({ message }) => blocksOf(message).flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []))),
  )
  const isKept = (block: unknown): boolean =>
    !isRecord(block) || block.type !== 'tool_result' || calls.has(block.tool_use_id)
  return sent.flatMap(({ index, message }) => {
    if (blocksOf(message).every(isKept)) return [{ index, message }]
    const { content, ...fields } = message as RecordFields
    const kept = (content as readonly unknown[]).filter(isKept)
    return kept.length === 0 ? [] : [{ index, message: { ...fields, content: kept } }]
  })
}

export const blocksOf = (message: unknown): RecordFields[] =>
  isRecord(message) && Array.isArray(message.content) ? message.content.filter(isRecord) : []

/**
 * The whole task with its repaired messages: those that are not sent stay before the message that followed them. `origins` are the
 * indexes of the repaired messages in the task; a new message has none.
 */
export function withUnsent(
  messages: readonly unknown[],
  sent: ReadonlySet<number>,
  healed: readonly unknown[],
  origins: readonly (number | undefined)[],
): unknown[] {
  const whole: unknown[] = []
  let next = 0
  const putUnsent = (end: number): void => {
    for (; next < end; next++) if (!sent.has(next)) whole.push(messages[next])
  }
  for (const [index, message] of healed.entries()) {
    putUnsent(origins[index] ?? next)
    whole.push(message)
  }
  putUnsent(messages.length)
  return whole
}

/** How many messages are before the end of the deleted range, as the last message that Cline showed has it. */
export function deletedIn(shown: unknown): number {
  const last: unknown = Array.isArray(shown) ? shown.at(-1) : undefined
  const range = isRecord(last) ? last.conversationHistoryDeletedRange : undefined
  const end: unknown = Array.isArray(range) ? range[1] : undefined
  return Number.isSafeInteger(end) ? Number(end) + 1 : 0
}
