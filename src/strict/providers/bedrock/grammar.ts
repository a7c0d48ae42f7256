import type { Answer } from '../../answers/answer.ts'
import { uuid } from '../../answers/ids.ts'
import { pieces } from '../../answers/pieces.ts'
import type { Stop } from '../../answers/script.ts'
import { sign } from '../../answers/signature.ts'
import type { Grammar } from '../../grammar/grammar.ts'
import { type JsonObject, objectOf } from '../../json.ts'
import type { Failure } from '../../provider.ts'
import type { StreamEvent } from '../../server/framing.ts'
import { eventstream } from './eventstream.ts'

export const bedrock: Grammar = {
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

function stream(answer: Answer): StreamEvent[] {
  const written = blocks(answer).flatMap(({ start, deltas }, contentBlockIndex) => [
    // Only a call is announced; other blocks begin with their first words.
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

/** Each block as a whole, as it opens, and what then comes piece by piece. */
function blocks(answer: Answer): { block: JsonObject; start?: JsonObject; deltas: JsonObject[] }[] {
  const { text, thinking, calls } = answer
  return [
    ...(thinking === '' ? [] : [thinkingBlock(answer)]),
    ...(text === '' ? [] : [{ block: { text }, deltas: pieces(text).map(text => ({ text })) }]),
    ...calls.map(({ id: toolUseId, name, input, text }) => ({
      block: { toolUse: { toolUseId, name, input } },
      start: { toolUse: { toolUseId, name } },
      deltas: pieces(text).map(input => ({ toolUse: { input } })),
    })),
  ]
}

function thinkingBlock(answer: Answer) {
  const { thinking: text } = answer
  const signature = sign(answer, 'EqQBCkYICxgCKkB', 64)
  const deltas = [...pieces(text).map(text => ({ text })), { signature }]
  return {
    block: { reasoningContent: { reasoningText: { text, signature } } },
    deltas: deltas.map(reasoningContent => ({ reasoningContent })),
  }
}

const measured = ({ usage: { input, output } }: Answer) => ({
  usage: { inputTokens: input, outputTokens: output, totalTokens: input + output },
  metrics: { latencyMs: 100 },
})

/** Every event is padded. */
const event = (name: string, data: JsonObject): StreamEvent => ({ event: name, data: { ...data, p: 'abcdefgh' } })

/** In a stream the name of an exception begins with a small letter. */
function exceptionName({ headers }: Failure): string {
  const name = headers?.['x-amzn-errortype'] ?? 'ValidationException'
  return name[0].toLowerCase() + name.slice(1)
}

const stopReasons: Record<Stop, string> = {
  end: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  refusal: 'content_filtered',
  pause: 'end_turn',
}
