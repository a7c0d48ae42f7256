import type { AnswerCall, ComposedAnswer } from '../../answers/answer.ts'
import { sign } from '../../answers/signature.ts'
import type { Grammar } from '../../grammar/grammar.ts'
import { type JsonObject, objectOf, objects } from '../../json.ts'
import type { ProviderFailure } from '../../provider.ts'
import type { StreamEvent } from '../../server/framing.ts'
import { sse } from '../../server/sse.ts'
import { conversationIdOf, previousOf } from '../../server/state.ts'
import { itemEvents } from './response-events.ts'

export const responsesGrammar: Grammar = {
  requestIdHeader: 'x-request-id',
  requestId: ids => ids.next('req_', 32),
  answerId: ids => ids.next('resp_', 50),
  callId: ids => ids.next('call_', 24),
  whole: answer => finish(answer, output(answer)),
  stream,
  fail,
  framing: () => sse,
}

function stream(answer: ComposedAnswer): StreamEvent[] {
  const items = output(answer)
  const response = finish(answer, items)
  return numbered([
    ...opening(answer),
    ...items.flatMap(itemEvents),
    { type: answer.stop === 'length' ? 'response.incomplete' : 'response.completed', response },
  ])
}

/** The live API nests the error, and then fails the response. Only the failure is stored. */
function fail({ body }: ProviderFailure, answer: ComposedAnswer, sent: number): StreamEvent[] {
  const error = objectOf(objectOf(body).error)
  const reason = { code: error.code ?? 'server_error', message: error.message ?? '' }
  const failed = { ...response(answer, 'failed', []), error: reason }
  answer.state.keep(answer.body, failed)
  return numbered(
    [...(sent === 0 ? opening(answer) : []), { type: 'error', error }, { type: 'response.failed', response: failed }],
    sent,
  )
}

const opening = (answer: ComposedAnswer): JsonObject[] =>
  ['response.created', 'response.in_progress'].map(type => ({ type, response: response(answer, 'in_progress', []) }))

const numbered = (events: JsonObject[], from = 0): StreamEvent[] =>
  events.map((event, index) => ({ event: String(event.type), data: { ...event, sequence_number: from + index } }))

/** The finished response, which is stored unless the request disables that. */
function finish(answer: ComposedAnswer, items: JsonObject[]): JsonObject {
  const { input, output, thinking } = answer.usage
  const isCut = answer.stop === 'length'
  const finished = {
    ...response(answer, isCut ? 'incomplete' : 'completed', items),
    incomplete_details: isCut ? { reason: 'max_output_tokens' } : null,
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: thinking },
      total_tokens: input + output,
    },
  }
  if (!answer.fails) answer.state.keep(answer.body, finished)
  return finished
}

function response(answer: ComposedAnswer, status: string, output: JsonObject[]): JsonObject {
  const { id, created, body, request } = answer
  const conversation = conversationIdOf(body)
  return {
    ...{ id, object: 'response', created_at: created, status, background: false, error: null },
    incomplete_details: null,
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    model: request.model,
    output,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: previousOf(body) ?? null,
    ...(conversation !== undefined && { conversation: { id: conversation } }),
    reasoning: body.reasoning ?? { effort: null, summary: null },
    service_tier: 'default',
    store: body.store ?? true,
    temperature: body.temperature ?? 1,
    text: body.text ?? { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: objects(body.tools),
    top_p: body.top_p ?? 1,
    truncation: body.truncation ?? 'disabled',
    usage: null,
    user: null,
    metadata: body.metadata ?? {},
  }
}

function output(answer: ComposedAnswer): JsonObject[] {
  const { text, thinking, calls } = answer
  return [
    ...(thinking === '' ? [] : [reasoning(answer)]),
    ...(text === '' ? [] : [message(answer)]),
    ...calls.map(call => callItem(answer, call)),
  ]
}

function reasoning(answer: ComposedAnswer): JsonObject {
  const { thinking, body, ids } = answer
  const included = Array.isArray(body.include) && body.include.includes('reasoning.encrypted_content')
  const encrypted_content = included ? sign(answer, 'gAAAAAB', 96) : undefined
  return {
    ...{ id: ids.next('rs_', 50), type: 'reasoning' },
    summary: [{ type: 'summary_text', text: thinking }],
    ...(encrypted_content !== undefined && { encrypted_content }),
  }
}

function message({ text, stop, ids }: ComposedAnswer): JsonObject {
  const part =
    stop === 'refusal'
      ? { type: 'refusal', refusal: text }
      : { type: 'output_text', text, annotations: [], logprobs: [] }
  const status = stop === 'length' ? 'incomplete' : 'completed'
  return { id: ids.next('msg_', 50), type: 'message', status, role: 'assistant', content: [part] }
}

function callItem({ body, stop, ids }: ComposedAnswer, { id: call_id, name, text }: AnswerCall): JsonObject {
  const status = stop === 'length' ? 'incomplete' : 'completed'
  return objects(body.tools).some(tool => tool.type === 'custom' && tool.name === name)
    ? { id: ids.next('ctc_', 50), type: 'custom_tool_call', status, call_id, name, input: text }
    : { id: ids.next('fc_', 50), type: 'function_call', status, call_id, name, arguments: text }
}
