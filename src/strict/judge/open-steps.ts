import type { JsonObject } from '../json.ts'
import { contentBlocks } from '../providers/anthropic/history.ts'

/**
 * The indexes of the assistant messages of the open turn, in Anthropic's format: those since the last user message, if only
 * results followed them, or nothing. Text in the same message as results does not end the turn, since its calls and results
 * are still the last ones.
 */
export function openStepIndexes(messages: JsonObject[]): number[] {
  const steps: number[] = []
  for (const [index, message] of [...messages.entries()].reverse()) {
    if (message.role === 'assistant') steps.unshift(index)
    else if (message.role !== 'system' && !hasResults(message)) break
  }
  return steps
}

const hasResults = (message: JsonObject): boolean => contentBlocks(message).some(({ type }) => type === 'tool_result')
