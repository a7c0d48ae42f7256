import type { Family } from './item.ts'

/** The types of the items that answer calls. */
export const resultTypes: Readonly<Record<Family, string>> = {
  function: 'function_call_output',
  custom: 'custom_tool_call_output',
  search: 'tool_search_output',
}

/** What Codex itself puts in the place of a result that never came. */
export const abortedText = 'aborted'

/** An item for a call without a result, as Codex makes it up for a request. */
export const madeItem = (family: Family, id: string): string =>
  JSON.stringify(
    family === 'search'
      ? { type: resultTypes.search, call_id: id, status: 'completed', execution: 'client', tools: [] }
      : { type: resultTypes[family], call_id: id, output: abortedText },
  )

/** A record for an item. */
export const recordFor = (timestamp: string, item: string): string =>
  `{"timestamp":${JSON.stringify(timestamp)},"type":"response_item","payload":${item}}`
