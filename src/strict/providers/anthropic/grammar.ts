import type { ComposedAnswer } from '../../answers/answer.ts'
import { streamPieces } from '../../answers/pieces.ts'
import type { StopReason } from '../../answers/script.ts'
import { sign } from '../../answers/signature.ts'
import type { Grammar } from '../../grammar/grammar.ts'
import { type JsonObject, objectOf } from '../../json.ts'
import type { StreamEvent } from '../../server/framing.ts'
import { sse } from '../../server/sse.ts'

export const anthropicGrammar: Grammar = {
  requestIdHeader: 'request-id',
  requestId: ids => ids.next('req_01', 22),
  answerId: ids => ids.next('msg_01', 22),
  callId: ids => ids.next('toolu_01', 22),
  whole: answer => ({
    ...message(answer),
    content: kept(answer).map(({ block }) => block),
    stop_reason: stopReasons[answer.stop],
    usage: usage(answer),
  }),
  stream,
  fail: ({ body }) => [{ event: 'error', data: objectOf(body) }],
  framing: () => sse,
}

function stream(answer: ComposedAnswer): StreamEvent[] {
  const { output } = answer.usage
  const start = { ...message(answer), usage: { ...usage(answer), output_tokens: Math.min(1, output) } }
  const written = kept(answer).flatMap(({ empty, deltas }, index) => [
    event('content_block_start', { index, content_block: empty }),
    // The real API sends a ping as soon as the first block is open.
    ...(index === 0 ? [event('ping', {})] : []),
    ...deltas.map(delta => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ])
  const delta = { stop_reason: stopReasons[answer.stop], stop_sequence: null }
  return [
    event('message_start', { message: start }),
    ...written,
    event('message_delta', { delta, usage: { output_tokens: output } }),
    event('message_stop', {}),
  ]
}

interface Block {
  block: JsonObject
  /** The block when it opens. */
  empty: JsonObject
  /** The deltas that follow. */
  deltas: JsonObject[]
}

/** The blocks of the answer, which are stored in the thread. */
function kept(answer: ComposedAnswer): Block[] {
  const { id, body, state, fails } = answer
  const written = blocks(answer)
  const content = written.map(({ block }) => block)
  if (!fails) state.threads.store(id, body, content)
  return written
}

function blocks(answer: ComposedAnswer): Block[] {
  const { text, thinking, calls } = answer
  return [
    ...(thinking === '' ? [] : [thinkingBlock(answer)]),
    ...(text === '' ? [] : [textBlock(text)]),
    ...calls.map(({ id, name, input, text }) => {
      const block = { type: 'tool_use', id, name, input, caller: { type: 'direct' } }
      // A call without arguments streams no JSON at all.
      const json = ['', ...(text === '{}' ? [] : streamPieces(text))]
      const deltas = json.map(partial_json => ({ type: 'input_json_delta', partial_json }))
      return { block, empty: { ...block, input: {} }, deltas }
    }),
  ]
}

function thinkingBlock(answer: ComposedAnswer) {
  const { thinking } = answer
  const signature = sign(answer, 'EqQBCkYICxgCKkA', 64)
  return {
    block: { type: 'thinking', thinking, signature },
    empty: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...streamPieces(thinking).map(piece => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature },
    ],
  }
}

const textBlock = (text: string) => ({
  block: { type: 'text', text },
  empty: { type: 'text', text: '' },
  deltas: streamPieces(text).map(piece => ({ type: 'text_delta', text: piece })),
})

const message = ({ id, request }: ComposedAnswer) => ({
  ...{ id, type: 'message', role: 'assistant', model: request.model },
  content: [],
  stop_reason: null,
  stop_sequence: null,
  stop_details: null,
  container: null,
})

const usage = ({ usage }: ComposedAnswer) => ({
  input_tokens: usage.input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens: usage.output,
  service_tier: 'standard',
})

const event = (type: string, data: JsonObject): StreamEvent => ({ event: type, data: { type, ...data } })

const stopReasons: Record<StopReason, string> = {
  end: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  refusal: 'refusal',
  pause: 'pause_turn',
}
