import { type JsonObject, stringOf } from '../../json.ts'

/** A kind of call that its caller must answer, and the kind of item that answers it. */
export type ItemPair = { call: string; output: string; words: string; missing: string }

export const pairs: [ItemPair, ...ItemPair[]] = [
  pair('function_call', 'function call', 'or-missing-output-fn'),
  pair('custom_tool_call', 'custom tool call', 'or-missing-output-custom'),
  pair('local_shell_call', 'local shell call', 'or-missing-output-shell'),
  pair('shell_call', 'shell call', 'or-missing-output-shell'),
  pair('computer_call', 'computer call', 'or-missing-output-computer'),
  pair('apply_patch_call', 'apply patch call', 'or-missing-output-patch'),
  { ...pair('tool_search_call', 'tool search call', 'or-missing-output-search'), output: 'tool_search_output' },
]

function pair(call: string, words: string, missing: string): ItemPair {
  return { call, output: `${call}_output`, words, missing }
}

const byType = new Map(pairs.flatMap(pair => [pair.call, pair.output].map(type => [type, pair] as const)))

/** The pair that an item belongs to; undefined for a tool search that the provider ran itself, which has no call id. */
export function pairOf(item: JsonObject): ItemPair | undefined {
  const found = byType.get(stringOf(item.type) ?? '')
  if (found?.call !== 'tool_search_call' || item.execution === 'client') return found
  return item.execution === 'server' || typeof item.call_id !== 'string' ? undefined : found
}
