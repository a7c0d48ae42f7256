import type { ComposedAnswer } from '../../answers/answer.ts'
import { streamPieces } from '../../answers/pieces.ts'
import { sign } from '../../answers/signature.ts'
import type { Grammar } from '../../grammar/grammar.ts'
import { type JsonObject, objectOf } from '../../json.ts'
import { isModel, models } from '../../judge/models.ts'
import type { StreamEvent } from '../../server/framing.ts'
import { sse } from '../../server/sse.ts'
import { storedForm } from './steps.ts'

export const interactionsGrammar: Grammar = {
  requestIdHeader: 'x-request-id',
  requestId: ids => ids.next('', 22),
  answerId: ids => ids.next('v1_', 40),
  callId: ids => ids.next('', 8),
  whole: answer => finish(answer, stepsOf(answer)),
  stream,
  fail: ({ body }) => named([{ event_type: 'error', error: objectOf(objectOf(body).error) }]),
  framing: () => sse,
}

/** The names of events are in their data. The last event has no steps. */
function stream(answer: ComposedAnswer): StreamEvent[] {
  const steps = stepsOf(answer)
  const { steps: _, ...interaction } = finish(answer, steps)
  const { id, object, model } = interaction
  return named([
    { event_type: 'interaction.created', interaction: { id, object, model, status: 'in_progress' } },
    { event_type: 'interaction.status_update', interaction_id: id, status: 'in_progress' },
    ...steps.flatMap(stepEvents),
    { event_type: 'interaction.completed', interaction },
  ])
}

const named = (events: JsonObject[]): StreamEvent[] => events.map(data => ({ event: String(data.event_type), data }))

function stepEvents(step: JsonObject, index: number): JsonObject[] {
  const { type, content, summary, signature, arguments: input, ...rest } = step
  const empty = type === 'function_call' ? { arguments: {} } : {}
  return [
    { event_type: 'step.start', index, step: { type, ...rest, ...empty } },
    ...deltas(step).map(delta => ({ event_type: 'step.delta', index, delta })),
    { event_type: 'step.stop', index },
  ]
}

/** Arguments arrive as pieces of JSON text, a signature whole. */
function deltas({ type, content, summary, signature, arguments: input }: JsonObject): JsonObject[] {
  if (type === 'function_call')
    return streamPieces(JSON.stringify(input)).map(piece => ({ type: 'arguments_delta', arguments: piece }))
  if (type === 'model_output') return textIn(content).map(text => ({ type: 'text', text }))
  return [
    ...textIn(summary).map(text => ({ type: 'thought_summary', content: { type: 'text', text } })),
    ...(signature === undefined ? [] : [{ type: 'thought_signature', signature }]),
  ]
}

const textIn = (contents: unknown): string[] =>
  Array.isArray(contents) ? contents.flatMap(({ text }) => streamPieces(String(text))) : []

/** The finished interaction, which is stored unless the request disables that. */
function finish(answer: ComposedAnswer, steps: JsonObject[]): JsonObject {
  const { id, body, request, stop, calls, created, state, fails } = answer
  const { input, output, thinking } = answer.usage
  const time = new Date(created * 1000).toISOString()
  const status = stop === 'length' ? 'incomplete' : calls.length > 0 ? 'requires_action' : 'completed'
  const interaction = {
    ...{ id, object: 'interaction', model: request.model, status, created: time, updated: time },
    ...(body.previous_interaction_id === undefined ? {} : { previous_interaction_id: body.previous_interaction_id }),
    steps,
    usage: {
      total_input_tokens: input,
      total_output_tokens: Math.max(0, output - thinking),
      total_thought_tokens: thinking,
      total_tokens: input + output,
    },
  }
  if (!fails) state.keep(storedForm(body), { ...interaction, output: steps })
  return interaction
}

/** A step with calls begins with a thought, which holds their signature. */
function stepsOf(answer: ComposedAnswer): JsonObject[] {
  const { text, thinking, calls } = answer
  const isSigned = thinking !== '' || (calls.length > 0 && isModel(models.signed, answer.request.model))
  const summary = thinking === '' ? {} : { summary: [{ type: 'text', text: thinking }] }
  return [
    ...(isSigned ? [{ type: 'thought', signature: sign(answer, 'EtcBCtQBAdHtim9', 64), ...summary }] : []),
    ...(text === '' ? [] : [{ type: 'model_output', content: [{ type: 'text', text }] }]),
    ...calls.map(({ id, name, input }) => ({ type: 'function_call', id, name, arguments: input })),
  ]
}
