import type { AnswerCall, ComposedAnswer } from '../../answers/answer.ts'
import { streamPieces } from '../../answers/pieces.ts'
import type { StopReason } from '../../answers/script.ts'
import type { Grammar } from '../../grammar/grammar.ts'
import { type JsonObject, objectOf } from '../../json.ts'
import type { StreamEvent } from '../../server/framing.ts'
import { ndjson } from '../../server/json-lines.ts'

/** Ollama's own chat API. It gives ids neither to answers nor to requests; this one is only for logs. */
export const ollamaGrammar: Grammar = {
  requestIdHeader: 'x-request-id',
  requestId: ids => ids.next('req_', 16),
  answerId: () => '',
  callId: () => '',
  whole: answer => ({ ...line(answer, message(answer)), ...end(answer) }),
  stream,
  fail: ({ body }) => [{ data: objectOf(body) }],
  framing: () => ndjson,
}

/** Text and thinking in pieces, each call whole in a line of its own, and a last line without any. */
function stream(answer: ComposedAnswer): StreamEvent[] {
  const pieces = [
    ...streamPieces(answer.thinking).map(thinking => ({ content: '', thinking })),
    ...streamPieces(answer.text).map(content => ({ content })),
    ...answer.calls.map((call, index) => ({ content: '', tool_calls: [toolCall(call, index)] })),
  ]
  const lines = pieces.map(piece => line(answer, { role: 'assistant', ...piece }))
  return [...lines, { ...line(answer, { role: 'assistant', content: '' }), ...end(answer) }].map(data => ({ data }))
}

function message({ text, thinking, calls }: ComposedAnswer): JsonObject {
  return {
    role: 'assistant',
    content: text,
    ...(thinking !== '' && { thinking }),
    ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
  }
}

/** A call has no id: the result names the tool. */
const toolCall = ({ name, input }: AnswerCall, index: number): JsonObject => ({
  function: { index, name, arguments: input },
})

const line = ({ request, created }: ComposedAnswer, message: JsonObject): JsonObject => ({
  model: request.model,
  created_at: new Date(created * 1000).toISOString(),
  message,
  done: false,
})

/** Durations are in nanoseconds. */
const end = ({ stop, usage: { input, output } }: ComposedAnswer): JsonObject => ({
  done: true,
  done_reason: doneReasons[stop],
  total_duration: 2_000_000,
  load_duration: 500_000,
  prompt_eval_count: input,
  prompt_eval_duration: 500_000,
  eval_count: output,
  eval_duration: 1_000_000,
})

/** Calls count as a normal end. */
const doneReasons: Record<StopReason, string> = {
  end: 'stop',
  calls: 'stop',
  length: 'length',
  refusal: 'stop',
  pause: 'stop',
}
