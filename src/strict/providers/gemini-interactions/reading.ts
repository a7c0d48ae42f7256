import { isObject, type JsonObject, objectOf, objects } from '../../json.ts'
import { anyObject } from '../../reading/answer-schema.ts'
import { forbidden, forced, free, narrowed, type ToolChoice } from '../../reading/choice.ts'
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
import { storedForm } from './steps.ts'

export function summarizeInteractions(body: JsonObject, state: ServerState): RequestSummary {
  return {
    tools: namedTools(
      objects(body.tools).flatMap(({ type, name, parameters }) =>
        type === 'function' ? [{ name, schema: parameters }] : [],
      ),
    ),
    ...choice(objectOf(body.generation_config).tool_choice),
    ...answer(body.response_format),
    history: state.context(storedForm(body)).flatMap(step),
  }
}

function choice(choice: unknown): ToolChoice {
  if (choice === 'none') return forbidden
  if (choice === 'any') return forced
  const allowed = objectOf(objectOf(choice).allowed_tools)
  return Array.isArray(allowed.tools) ? narrowed(allowed.tools, allowed.mode === 'any') : free
}

function answer(format: unknown): Pick<RequestSummary, 'answer'> {
  const [{ type, mime_type: mime, schema } = {}] = Array.isArray(format) ? objects(format) : [objectOf(format)]
  if (type !== 'text') return {}
  return isObject(schema) ? { answer: schema } : mime === 'application/json' ? { answer: anyObject } : {}
}

function step(step: JsonObject): SummaryEntry[] {
  switch (step.type) {
    case 'user_input':
      return userEntry(contentText(step.content))
    case 'function_call':
      return [{ by: 'call', id: idOrEmpty(step.id), name: idOrEmpty(step.name) }]
    case 'function_result':
      return [
        { by: 'tool', id: idOrEmpty(step.call_id), name: idOrEmpty(step.name), text: toolResultText(step.result) },
      ]
  }
  return [{ by: 'assistant' }]
}
