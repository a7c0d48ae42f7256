import { isObject, type JsonObject, objectOf, objects, stringOf } from '../../json.ts'
import { anyObject } from '../../reading/answer-schema.ts'
import { free } from '../../reading/choice.ts'
import {
  contentText,
  idOrEmpty,
  namedTools,
  type RequestSummary,
  type SummaryEntry,
  userEntry,
} from '../../reading/request-summary.ts'

/** A request cannot force a call. */
export function summarizeOllama(body: JsonObject): RequestSummary {
  const { format } = body
  return {
    tools: namedTools(
      objects(body.tools).map(tool => {
        const { name, parameters } = objectOf(tool.function)
        return { name, schema: parameters }
      }),
    ),
    ...free,
    ...(format === 'json' ? { answer: anyObject } : isObject(format) ? { answer: format } : {}),
    history: objects(body.messages).flatMap(message),
  }
}

function message({ role, content, tool_calls, tool_name, tool_call_id }: JsonObject): SummaryEntry[] {
  if (role === 'user') return userEntry(contentText(content))
  if (role === 'tool') {
    const name = stringOf(tool_name)
    return [
      { by: 'tool', id: idOrEmpty(tool_call_id), ...(name !== undefined && { name }), text: contentText(content) },
    ]
  }
  if (role !== 'assistant') return []
  const calls = objects(tool_calls).map((call): SummaryEntry => {
    return { by: 'call', id: idOrEmpty(call.id), name: idOrEmpty(objectOf(call.function).name) }
  })
  return [{ by: 'assistant' }, ...calls]
}
