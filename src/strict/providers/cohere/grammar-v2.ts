import type { AnswerCall, ComposedAnswer } from '../../answers/answer.ts'
import { uuid } from '../../answers/ids.ts'
import { streamPieces } from '../../answers/pieces.ts'
import type { StopReason } from '../../answers/script.ts'
import type { Grammar } from '../../grammar/grammar.ts'
import { type JsonObject, objectOf, textOrJson } from '../../json.ts'
import type { StreamEvent } from '../../server/framing.ts'
import { sse } from '../../server/sse.ts'

export const cohereV2Grammar: Grammar = {
  requestIdHeader: 'x-debug-trace-id',
  requestId: ids => ids.next('', 32),
  answerId: ids => uuid(ids.count('cohere answer')),
  callId: (ids, name) => ids.next(`${name}_`, 12),
  whole: answer => ({
    id: answer.id,
    message: message(answer),
    finish_reason: finishReasons[answer.stop],
    usage: usage(answer),
  }),
  stream,
  // A stream that has begun reports a failure in its last event.
  fail: ({ body }) => end({ error: textOrJson(objectOf(body).message ?? body), finish_reason: 'ERROR' }),
  framing: () => sse,
}

function message(answer: ComposedAnswer): JsonObject {
  const { calls } = answer
  const [content, plan] = [blocks(answer), planOf(answer)]
  return {
    role: 'assistant',
    ...(plan !== '' && { tool_plan: plan }),
    ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
    ...(content.length > 0 && { content }),
  }
}

function stream(answer: ComposedAnswer): StreamEvent[] {
  const { id, calls, stop } = answer
  const empty = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] }
  return [
    event('message-start', { id, delta: { message: empty } }),
    ...blocks(answer).flatMap(contentEvents),
    ...streamPieces(planOf(answer)).map(tool_plan => event('tool-plan-delta', { delta: { message: { tool_plan } } })),
    ...calls.flatMap(callEvents),
    ...end({ finish_reason: finishReasons[stop], usage: usage(answer) }),
  ]
}

type Block = { type: 'thinking'; thinking: string } | { type: 'text'; text: string }

/** Next to calls there is no text: it is the plan. */
function blocks({ thinking, text, calls }: ComposedAnswer): Block[] {
  return [
    ...(thinking === '' ? [] : [{ type: 'thinking' as const, thinking }]),
    ...(calls.length > 0 ? [] : [{ type: 'text' as const, text }]),
  ]
}

const planOf = ({ text, calls }: ComposedAnswer): string => (calls.length > 0 ? text : '')

const contentEvents = (block: Block, index: number): StreamEvent[] => {
  const { type } = block
  const text = block.type === 'text' ? block.text : block.thinking
  const content = (content: JsonObject) => ({ index, delta: { message: { content } } })
  return [
    event('content-start', content({ type, [type]: '' })),
    ...streamPieces(text).map(piece => event('content-delta', content({ [type]: piece }))),
    event('content-end', { index }),
  ]
}

/** One call per event, although the field's name is plural. */
function callEvents(call: AnswerCall, index: number): StreamEvent[] {
  const delta = (tool_calls: JsonObject) => ({ index, delta: { message: { tool_calls } } })
  return [
    event('tool-call-start', delta(toolCall({ ...call, text: '' }))),
    ...streamPieces(call.text).map(piece => event('tool-call-delta', delta({ function: { arguments: piece } }))),
    event('tool-call-end', { index }),
  ]
}

const end = (delta: JsonObject): StreamEvent[] => [event('message-end', { delta }), { data: '[DONE]' }]

const toolCall = ({ id, name, text }: AnswerCall): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})

const event = (type: string, data: JsonObject): StreamEvent => ({ event: type, data: { type, ...data } })

const usage = ({ usage: { input, output } }: ComposedAnswer) => ({
  billed_units: { input_tokens: input, output_tokens: output },
  tokens: { input_tokens: input, output_tokens: output },
  cached_tokens: 0,
})

const finishReasons: Record<StopReason, string> = {
  end: 'COMPLETE',
  calls: 'TOOL_CALL',
  length: 'MAX_TOKENS',
  refusal: 'COMPLETE',
  pause: 'COMPLETE',
}
