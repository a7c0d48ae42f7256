import { isRecord } from '../../../core/conversation.ts'
import { originsOf } from '../../files/print-like.ts'
import type { RecordFields } from '../../record-format.ts'

/**
 * Repaired messages in which results that were made up or moved are in the user message after them. Some providers of these
 * programs reject two user messages in a row, and other files of a task count its messages.
 */
export function withJoinedResults(healed: readonly unknown[], before: readonly unknown[]): readonly unknown[] {
  const origins = originsOf(before, healed)
  const joined: unknown[] = []
  let results: readonly unknown[] = []
  for (const [index, message] of healed.entries()) {
    const next = healed[index + 1]
    const place = origins[index]
    const stays = place !== undefined && origins[index + 1] === place + 1
    if (!stays && holdsResultsOnly(message) && isRecord(next) && next.role === 'user')
      results = [...results, ...message.content]
    else {
      joined.push(results.length > 0 && isRecord(message) ? withResults(message, results) : message)
      results = []
    }
  }
  return joined
}

function holdsResultsOnly(message: unknown): message is { readonly content: readonly unknown[] } {
  if (!isRecord(message) || message.role !== 'user' || !Array.isArray(message.content)) return false
  return message.content.every(block => isRecord(block) && block.type === 'tool_result')
}

function withResults(message: RecordFields, results: readonly unknown[]): RecordFields {
  const { content } = message
  const said = Array.isArray(content) ? content : content === '' ? [] : [{ type: 'text', text: content }]
  return { ...message, content: [...results, ...said] }
}
