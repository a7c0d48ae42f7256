import type { ComposedAnswer } from '../../answers/answer.ts'
import { streamPieces } from '../../answers/pieces.ts'
import type { StopReason } from '../../answers/script.ts'
import { sign } from '../../answers/signature.ts'
import type { Grammar } from '../../grammar/grammar.ts'
import { type JsonObject, objectOf } from '../../json.ts'
import type { StreamEvent } from '../../server/framing.ts'
import { jsonArray } from '../../server/json-array.ts'
import { sse } from '../../server/sse.ts'

export const geminiGrammar: Grammar = {
  requestIdHeader: 'x-request-id',
  requestId: ids => ids.next('', 22),
  answerId: ids => ids.next('', 22),
  callId: ids => ids.next('', 8),
  whole: answer => chunk(answer, parts(answer), true),
  stream,
  fail: ({ body }) => [{ data: objectOf(body) }],
  framing: ({ query }) => (query?.alt === 'sse' ? sse : jsonArray),
}

/** Text is sent in chunks, and all calls at once. */
function stream(answer: ComposedAnswer): StreamEvent[] {
  const all = parts(answer)
  const words = all.flatMap(part =>
    typeof part.text === 'string' ? streamPieces(part.text).map(text => [{ ...part, text }]) : [],
  )
  const calls = all.filter(({ functionCall }) => functionCall !== undefined)
  const chunks = calls.length > 0 ? [...words, calls] : words
  answer.state.fragments.sent(chunks)
  const last = chunks.pop() ?? [{ text: '' }]
  return [...chunks.map(parts => ({ data: chunk(answer, parts, false) })), { data: chunk(answer, last, true) }]
}

function parts(answer: ComposedAnswer): JsonObject[] {
  const { text, thinking, calls } = answer
  return [
    ...(thinking === '' ? [] : [{ text: thinking, thought: true }]),
    ...(text === '' ? [] : [{ text }]),
    ...calls.map(({ id, name, input }, index) => ({
      functionCall: { ...(id !== '' && { id }), name, args: input },
      ...(index === 0 && signs(answer) && { thoughtSignature: sign(answer, 'EtcBCtQBAdHtim9', 64) }),
    })),
  ]
}

/** From Gemini 3 on the first call of a step is signed. */
const signs = ({ request }: ComposedAnswer): boolean => Number(request.model.match(/gemini-(\d+)/)?.[1] ?? 0) >= 3

function chunk(answer: ComposedAnswer, parts: JsonObject[], isLast: boolean): JsonObject {
  const { input, output, thinking } = answer.usage
  return {
    candidates: [
      { content: { role: 'model', parts }, ...(isLast && { finishReason: finishReasons[answer.stop] }), index: 0 },
    ],
    usageMetadata: {
      promptTokenCount: input,
      ...(isLast && { candidatesTokenCount: output - thinking }),
      totalTokenCount: isLast ? input + output : input,
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }],
      ...(isLast && thinking > 0 && { thoughtsTokenCount: thinking }),
    },
    modelVersion: answer.request.model,
    responseId: answer.id,
  }
}

const finishReasons: Record<StopReason, string> = {
  end: 'STOP',
  calls: 'STOP',
  length: 'MAX_TOKENS',
  refusal: 'SAFETY',
  pause: 'STOP',
}
