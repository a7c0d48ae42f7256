import type { ComposedAnswer } from '../../answers/answer.ts'
import { uuid } from '../../answers/ids.ts'
import { streamPieces } from '../../answers/pieces.ts'
import type { StopReason } from '../../answers/script.ts'
import { sign } from '../../answers/signature.ts'
import type { Grammar } from '../../grammar/grammar.ts'
import { type JsonObject, objectOf } from '../../json.ts'
import type { ProviderFailure } from '../../provider.ts'
import type { StreamEvent } from '../../server/framing.ts'
import { eventstream } from './eventstream.ts'

export const bedrockGrammar: Grammar = {
  requestIdHeader: 'x-amzn-requestid',
  requestId: ids => uuid(ids.count('bedrock request')),
  answerId: ids => uuid(ids.count('bedrock answer')),
  callId: ids => ids.next('tooluse_', 22),
  whole: answer => ({
    output: { message: { role: 'assistant', content: blocks(answer).map(({ block }) => block) } },
    stopReason: stopReasons[answer.stop],
    ...measured(answer),
  }),
  stream,
  fail: failure => [{ event: exceptionName(failure), data: objectOf(failure.body), exception: true }],
  framing: () => eventstream,
}

function stream(answer: ComposedAnswer): StreamEvent[] {
  const written = blocks(answer).flatMap(({ start, deltas }, contentBlockIndex) => [
    // Only a call is announced; other blocks begin with their first delta.
    ...(start ? [event('contentBlockStart', { contentBlockIndex, start })] : []),
    ...deltas.map(delta => event('contentBlockDelta', { contentBlockIndex, delta })),
    event('contentBlockStop', { contentBlockIndex }),
  ])
  return [
    event('messageStart', { role: 'assistant' }),
    ...written,
    event('messageStop', { stopReason: stopReasons[answer.stop] }),
    event('metadata', measured(answer)),
  ]
}

/** Each block as a whole, when it opens, and as the deltas that follow. */
function blocks(answer: ComposedAnswer): { block: JsonObject; start?: JsonObject; deltas: JsonObject[] }[] {
  const { text, thinking, calls } = answer
  return [
    ...(thinking === '' ? [] : [thinkingBlock(answer)]),
    ...(text === '' ? [] : [{ block: { text }, deltas: streamPieces(text).map(text => ({ text })) }]),
    ...calls.map(({ id: toolUseId, name, input, text }) => ({
      block: { toolUse: { toolUseId, name, input } },
      start: { toolUse: { toolUseId, name } },
      deltas: streamPieces(text).map(input => ({ toolUse: { input } })),
    })),
  ]
}

function thinkingBlock(answer: ComposedAnswer) {
  const { thinking: text } = answer
  const signature = sign(answer, 'EqQBCkYICxgCKkB', 64)
  const deltas = [...streamPieces(text).map(text => ({ text })), { signature }]
  return {
    block: { reasoningContent: { reasoningText: { text, signature } } },
    deltas: deltas.map(reasoningContent => ({ reasoningContent })),
  }
}

const measured = ({ usage: { input, output } }: ComposedAnswer) => ({
  usage: { inputTokens: input, outputTokens: output, totalTokens: input + output },
  metrics: { latencyMs: 100 },
})

/** Every event is padded. */
const event = (name: string, data: JsonObject): StreamEvent => ({ event: name, data: { ...data, p: 'abcdefgh' } })

/** In a stream the name of an exception begins with a lower-case letter. */
function exceptionName({ headers }: ProviderFailure): string {
  const name = headers?.['x-amzn-errortype'] ?? 'ValidationException'
  return name.charAt(0).toLowerCase() + name.slice(1)
}

const stopReasons: Record<StopReason, string> = {
  end: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  refusal: 'content_filtered',
  pause: 'end_turn',
}
