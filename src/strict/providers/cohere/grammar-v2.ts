import type { Answer, AnswerCall } from '../../answers/answer.ts'
import { uuid } from '../../answers/ids.ts'
import { pieces } from '../../answers/pieces.ts'
import type { Stop } from '../../answers/script.ts'
import type { Grammar } from '../../grammar/grammar.ts'
import { type JsonObject, jsonText, objectOf } from '../../json.ts'
import type { StreamEvent } from '../../server/framing.ts'
import { sse } from '../../server/sse.ts'

export const cohereV2: Grammar = {
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
  // A stream that has begun says in its last event that it failed.
  fail: ({ body }) => end({ error: jsonText(objectOf(body).message ?? body), finish_reason: 'ERROR' }),
  framing: () => sse,
}

function message(answer: Answer): JsonObject {
  const { calls } = answer
  const [content, plan] = [blocks(answer), planOf(answer)]
  return {
    role: 'assistant',
    ...(plan !== '' && { tool_plan: plan }),
    ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
    ...(content.length > 0 && { content }),
  }
}

function stream(answer: Answer): StreamEvent[] {
  const { id, calls, stop } = answer
  const empty = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] }
  return [
    event('message-start', { id, delta: { message: empty } }),
    ...blocks(answer).flatMap(contentEvents),
    ...pieces(planOf(answer)).map(tool_plan => event('tool-plan-delta', { delta: { message: { tool_plan } } })),
    ...calls.flatMap(callEvents),
    ...end({ finish_reason: finishReasons[stop], usage: usage(answer) }),
  ]
}

interface Block {
  type: 'thinking' | 'text'
  [text: string]: string
}

/** Beside calls there is no text: it is the plan. */
function blocks({ thinking, text, calls }: Answer): Block[] {
  return [
    ...(thinking === '' ? [] : [{ type: 'thinking' as const, thinking }]),
    ...(calls.length > 0 ? [] : [{ type: 'text' as const, text }]),
  ]
}

const planOf = ({ text, calls }: Answer): string => (calls.length > 0 ? text : '')

const contentEvents = (block: Block, index: number): StreamEvent[] => {
  const { type } = block
  const content = (content: JsonObject) => ({ index, delta: { message: { content } } })
  return [
    event('content-start', content({ type, [type]: '' })),
    ...pieces(block[type]).map(piece => event('content-delta', content({ [type]: piece }))),
    event('content-end', { index }),
  ]
}

/** One call an event, though the field has the name of a list. */
function callEvents(call: AnswerCall, index: number): StreamEvent[] {
  const delta = (tool_calls: JsonObject) => ({ index, delta: { message: { tool_calls } } })
  return [
    event('tool-call-start', delta(toolCall({ ...call, text: '' }))),
    ...pieces(call.text).map(piece => event('tool-call-delta', delta({ function: { arguments: piece } }))),
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

const usage = ({ usage: { input, output } }: Answer) => ({
  billed_units: { input_tokens: input, output_tokens: output },
  tokens: { input_tokens: input, output_tokens: output },
  cached_tokens: 0,
})

const finishReasons: Record<Stop, string> = {
  end: 'COMPLETE',
  calls: 'TOOL_CALL',
  length: 'MAX_TOKENS',
  refusal: 'COMPLETE',
  pause: 'COMPLETE',
}
