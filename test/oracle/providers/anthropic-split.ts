import type { JsonObject } from '../json.ts'
import { blocksOf } from '../readers/anthropic.ts'
import { type Refusal, refusePedantically } from '../refusal.ts'

/** Results of one step in two neighbouring user messages: clients report a refusal, the documentation says otherwise. */
export function splitResults(messages: JsonObject[]): Refusal[] {
  let hasResultsBefore = false
  return messages.flatMap((message, index) => {
    const hasResults = message.role === 'user' && blocksOf(message).some(({ type }) => type === 'tool_result')
    const isSplit = hasResults && hasResultsBefore
    hasResultsBefore = message.role === 'user' && (hasResults || hasResultsBefore)
    return isSplit ? [refusePedantically('an-OPEN-split', splitText, `messages[${index}]`)] : []
  })
}

const splitText = '`tool_use` ids were found without `tool_result` blocks immediately after'
