import type { AnswerCall, ComposedAnswer } from '../../answers/answer.ts'
import { uuid } from '../../answers/ids.ts'
import { streamPieces } from '../../answers/pieces.ts'
import type { StopReason } from '../../answers/script.ts'
import type { Grammar } from '../../grammar/grammar.ts'
import { type JsonObject, objects, stringOf } from '../../json.ts'
import type { StreamEvent } from '../../server/framing.ts'
import { jsonLines } from '../../server/json-lines.ts'
import { sse } from '../../server/sse.ts'
import { cohereV2Grammar } from './grammar-v2.ts'

/** Version 1 of the API. It returns no thinking, and its calls have no ids. */
export const cohereV1Grammar: Grammar = {
  requestIdHeader: cohereV2Grammar.requestIdHeader,
  requestId: cohereV2Grammar.requestId,
  answerId: cohereV2Grammar.answerId,
  callId: () => '',
  whole: answer => response(answer, finishReasons[answer.stop]),
  stream,
  // The finish reason is all that it reports of a failure.
  fail: (_failure, answer) => [end({ ...answer, text: '', calls: [] }, 'ERROR')],
  framing: ({ headers }) => (headers.accepts === 'text/event-stream' ? sse : jsonLines),
}

function response(answer: ComposedAnswer, finish_reason: string): JsonObject {
  const { id, ids, text, calls } = answer
  return {
    response_id: uuid(ids.count('cohere response')),
    text,
    generation_id: id,
    chat_history: history(answer),
    finish_reason,
    meta: meta(answer),
    ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
  }
}

/** The history for the next request. Results without a call in it are omitted. */
function history({ body, text, calls }: ComposedAnswer): JsonObject[] {
  const before = objects(body.chat_history)
  const tool_results = objects(before.at(-1)?.tool_calls).length > 0 ? objects(body.tool_results) : []
  const message = stringOf(body.message) ?? ''
  return [
    ...before,
    ...(tool_results.length > 0 ? [{ role: 'TOOL', tool_results }] : []),
    ...(message === '' ? [] : [{ role: 'USER', message }]),
    { role: 'CHATBOT', message: text, ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }) },
  ]
}

function stream(answer: ComposedAnswer): StreamEvent[] {
  const { id, text, calls, stop } = answer
  const words = calls.length > 0 ? 'tool-calls-chunk' : 'text-generation'
  return [
    event('stream-start', { generation_id: id }),
    ...streamPieces(text).map(text => event(words, { text })),
    ...calls.flatMap(callChunks),
    ...(calls.length > 0 ? [event('tool-calls-generation', { text, tool_calls: calls.map(toolCall) })] : []),
    end(answer, finishReasons[stop]),
  ]
}

const callChunks = ({ name, text }: AnswerCall, index: number): StreamEvent[] =>
  [{ index, name }, ...streamPieces(text).map(parameters => ({ index, parameters }))].map(tool_call_delta =>
    event('tool-calls-chunk', { tool_call_delta }),
  )

const end = (answer: ComposedAnswer, finish_reason: string): StreamEvent =>
  event('stream-end', { finish_reason, response: response(answer, finish_reason) }, true)

const event = (event_type: string, data: JsonObject, is_finished = false): StreamEvent => ({
  event: event_type,
  data: { is_finished, event_type, ...data },
})

const toolCall = ({ name, input }: AnswerCall): JsonObject => ({ name, parameters: input })

const meta = ({ usage: { input, output } }: ComposedAnswer) => ({
  api_version: { version: '1' },
  billed_units: { input_tokens: input, output_tokens: output },
  tokens: { input_tokens: input, output_tokens: output },
})

/** Calls count as a normal reply. */
const finishReasons: Record<StopReason, string> = {
  end: 'COMPLETE',
  calls: 'COMPLETE',
  length: 'MAX_TOKENS',
  refusal: 'ERROR_TOXIC',
  pause: 'COMPLETE',
}
