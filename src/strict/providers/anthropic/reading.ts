import { type JsonObject, objectOf, objects } from '../../json.ts'
import { answerSchema } from '../../reading/answer-schema.ts'
import { chosen, forbidden, forced, free, type ToolChoice } from '../../reading/choice.ts'
import {
  contentText,
  idOrEmpty,
  namedTools,
  type RequestSummary,
  type SummaryEntry,
  toolResultText,
  userEntry,
} from '../../reading/request-summary.ts'
import type { ServerState } from '../../server/state.ts'

export function summarizeAnthropic(request: JsonObject, state: ServerState): RequestSummary {
  const body = state.threads.whole(request)
  return {
    tools: namedTools(
      objects(body.tools)
        .filter(({ type }) => type === undefined || type === null || clientTools.test(String(type)))
        .map(({ name, input_schema }) => ({ name, schema: input_schema })),
    ),
    ...choice(objectOf(body.tool_choice)),
    ...answerSchema(objectOf(body.output_config).format ?? body.output_format),
    history: objects(body.messages).flatMap(message),
  }
}

function choice({ type, name }: JsonObject): ToolChoice {
  if (type === 'none') return forbidden
  if (type === 'any') return forced
  return type === 'tool' ? chosen(name) : free
}

/** Tools of other types are run by the provider. */
const clientTools = /^(custom$|bash_|text_editor_|computer_|memory_)/

function message({ role, content }: JsonObject): SummaryEntry[] {
  if (role === 'assistant') return [{ by: 'assistant' }, ...objects(content).flatMap(call)]
  if (role !== 'user') return []
  const results = objects(content).filter(({ type }) => type === 'tool_result')
  return [...results.map(result), ...userEntry(contentText(content))]
}

const call = ({ type, id, name }: JsonObject): SummaryEntry[] =>
  type === 'tool_use' ? [{ by: 'call', id: idOrEmpty(id), name: idOrEmpty(name) }] : []

const result = ({ tool_use_id, content }: JsonObject): SummaryEntry => ({
  by: 'tool',
  id: idOrEmpty(tool_use_id),
  text: toolResultText(content),
})
