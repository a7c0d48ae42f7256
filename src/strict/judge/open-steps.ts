import type { JsonObject } from '../json.ts'
import { blocksOf } from '../providers/anthropic/history.ts'

/**
 * Where the assistant's messages of the turn under way stand, in the shape of Anthropic: those since the user last spoke,
 * if results are all that has come back, or nothing yet. Words in one message with results do not end the turn: its calls
 * and results are still the last ones.
 */
export function openSteps(messages: JsonObject[]): number[] {
  const steps: number[] = []
  for (const [index, { role }] of [...messages.entries()].reverse()) {
    if (role === 'assistant') steps.unshift(index)
    else if (role !== 'system' && !hasResults(messages[index])) break
  }
  return steps
}

const hasResults = (message: JsonObject): boolean => blocksOf(message).some(({ type }) => type === 'tool_result')
