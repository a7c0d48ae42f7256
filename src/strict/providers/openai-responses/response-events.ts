import { streamPieces } from '../../answers/pieces.ts'
import { type JsonObject, objects } from '../../json.ts'

/** The events that send one output item of the Responses API, from its empty frame to the finished item. */
export function itemEvents(item: JsonObject, output_index: number): JsonObject[] {
  const at = { item_id: item.id, output_index }
  return [
    { type: 'response.output_item.added', output_index, item: emptied(item) },
    ...inner(item, at),
    { type: 'response.output_item.done', output_index, item },
  ]
}

function emptied(item: JsonObject): JsonObject {
  const started = item.type === 'reasoning' ? item : { ...item, status: 'in_progress' }
  const empty: JsonObject = { content: [], summary: [], arguments: '', input: '' }
  return Object.fromEntries(Object.entries(started).map(([key, value]) => [key, empty[key] ?? value]))
}

function inner(item: JsonObject, at: JsonObject): JsonObject[] {
  if (item.type === 'function_call')
    return growing('response.function_call_arguments', at, 'arguments', String(item.arguments))
  if (item.type === 'custom_tool_call')
    return growing('response.custom_tool_call_input', at, 'input', String(item.input))
  if (item.type === 'reasoning')
    return objects(item.summary).flatMap((part, summary_index) => summaryEvents(part, { ...at, summary_index }))
  return objects(item.content).flatMap((part, content_index) => contentEvents(part, { ...at, content_index }))
}

function summaryEvents(part: JsonObject, at: JsonObject): JsonObject[] {
  return [
    { type: 'response.reasoning_summary_part.added', ...at, part: { ...part, text: '' } },
    ...growing('response.reasoning_summary_text', at, 'text', String(part.text)),
    { type: 'response.reasoning_summary_part.done', ...at, part },
  ]
}

function contentEvents(part: JsonObject, at: JsonObject): JsonObject[] {
  const [key, kind] = part.type === 'refusal' ? ['refusal', 'refusal'] : ['text', 'output_text']
  const logprobs = part.type === 'refusal' ? {} : { logprobs: [] }
  return [
    { type: 'response.content_part.added', ...at, part: { ...part, [key]: '' } },
    ...growing(`response.${kind}`, { ...at, ...logprobs }, key, String(part[key])),
    { type: 'response.content_part.done', ...at, part },
  ]
}

/** A text as deltas, and then as a whole under its key. */
const growing = (type: string, at: JsonObject, key: string, text: string): JsonObject[] => [
  ...streamPieces(text).map(delta => ({ type: `${type}.delta`, ...at, delta })),
  { type: `${type}.done`, ...at, [key]: text },
]
