import type { AnswerCall, ComposedAnswer } from '../../answers/answer.ts'
import { streamPieces } from '../../answers/pieces.ts'
import type { StopReason } from '../../answers/script.ts'
import type { Grammar } from '../../grammar/grammar.ts'
import { type JsonObject, objectOf, objects } from '../../json.ts'
import type { StreamEvent } from '../../server/framing.ts'
import { sse } from '../../server/sse.ts'

export const openaiChatGrammar: Grammar = {
  requestIdHeader: 'x-request-id',
  requestId: ids => ids.next('req_', 32),
  answerId: ids => ids.next('chatcmpl-', 29),
  callId: ids => ids.next('call_', 24),
  whole,
  stream,
  fail: ({ body }) => [{ data: objectOf(body) }],
  framing: () => sse,
}

function whole(answer: ComposedAnswer): JsonObject {
  const { calls, stop } = answer
  const message = {
    role: 'assistant',
    content: stop === 'refusal' ? null : content(answer),
    refusal: stop === 'refusal' ? answer.text : null,
    annotations: [],
    ...reasoningFields(answer, answer.thinking),
    ...(calls.length > 0 && called(answer)),
  }
  const choices = [{ index: 0, message, logprobs: null, finish_reason: finishReason(answer) }]
  return { ...head(answer, 'chat.completion'), choices, usage: usage(answer) }
}

function stream(answer: ComposedAnswer): StreamEvent[] {
  const { text, thinking, calls, stop } = answer
  const spoken = stop === 'refusal' ? 'refusal' : 'content'
  const deltas = [
    {
      ...{ role: 'assistant', content: calls.length > 0 && text === '' ? noText(answer) : '', refusal: null },
      ...(thinking === '' && reasoningFields(answer, '')),
    },
    ...streamPieces(thinking).flatMap(piece => thinkingDelta(answer, piece)),
    ...streamPieces(text).map(piece => ({ [spoken]: piece })),
  ]
  const chunks = answer.provider.chat?.compact ? compactChunks(answer, deltas) : chunksOf(answer, deltas)
  return [...chunks.map(data => ({ data })), { data: '[DONE]' }]
}

/** The usage is sent in a separate chunk, on request. */
function chunksOf(answer: ComposedAnswer, deltas: JsonObject[]): JsonObject[] {
  const withUsage = objectOf(answer.body.stream_options).include_usage === true
  const chunks = [
    ...[...deltas, ...allCallDeltas(answer)].map(delta => chunk(answer, delta)),
    chunk(answer, {}, finishReason(answer)),
  ]
  if (!withUsage) return chunks
  const last = { ...head(answer, 'chat.completion.chunk'), choices: [], usage: usage(answer) }
  return [...chunks.map(chunk => ({ ...chunk, usage: null })), last]
}

function compactChunks(answer: ComposedAnswer, deltas: JsonObject[]): JsonObject[] {
  const tool_calls = answer.calls.map((call, index) => ({ ...toolCall(answer, call), index }))
  const end = { content: '', ...(tool_calls.length > 0 && { tool_calls }) }
  const last = { ...chunk(answer, end, finishReason(answer)), usage: usage(answer) }
  return [...deltas.map(delta => chunk(answer, delta)), last]
}

const chunk = (answer: ComposedAnswer, delta: JsonObject, finish_reason: string | null = null): JsonObject => ({
  ...head(answer, 'chat.completion.chunk'),
  choices: [{ index: 0, delta, logprobs: null, finish_reason }],
})

/** Clients that use functions instead of tools get one call, without an id. */
const isLegacy = ({ body }: ComposedAnswer): boolean => Array.isArray(body.functions) && !Array.isArray(body.tools)

function called(answer: ComposedAnswer): JsonObject {
  const [first] = answer.calls
  return first && isLegacy(answer)
    ? { function_call: { name: first.name, arguments: first.text } }
    : { tool_calls: answer.calls.map(call => toolCall(answer, call)) }
}

function allCallDeltas(answer: ComposedAnswer): JsonObject[] {
  const { calls } = answer
  if (!isLegacy(answer)) return calls.flatMap((call, index) => callDeltas(answer, call, index))
  return calls
    .slice(0, 1)
    .flatMap(({ name, text }) => [{ name, arguments: '' }, ...streamPieces(text).map(piece => ({ arguments: piece }))])
    .map(function_call => ({ function_call }))
}

function callDeltas(answer: ComposedAnswer, call: AnswerCall, index: number): JsonObject[] {
  const [kind, key] = isCustom(answer, call) ? ['custom', 'input'] : ['function', 'arguments']
  const first = { index, id: call.id, type: kind, [kind]: { name: call.name, [key]: '' } }
  const rest = streamPieces(call.text).map(piece => ({ index, [kind]: { [key]: piece } }))
  return [first, ...rest].map(toolCall => ({ tool_calls: [toolCall] }))
}

function toolCall(answer: ComposedAnswer, call: AnswerCall): JsonObject {
  const { id, name, text } = call
  return isCustom(answer, call)
    ? { id, type: 'custom', custom: { name, input: text } }
    : { id, type: 'function', function: { name, arguments: text } }
}

const isCustom = ({ body }: ComposedAnswer, { name }: AnswerCall): boolean =>
  objects(body.tools).some(({ type, custom }) => type === 'custom' && objectOf(custom).name === name)

/** Mistral's thinking is part of the content. */
function content({ text, thinking, calls, provider }: ComposedAnswer): unknown {
  if (thinking !== '' && provider.chat?.thinking === 'chunks') return [thinkingChunk(thinking), { type: 'text', text }]
  return text === '' && calls.length > 0 ? noText({ provider }) : text
}

const noText = ({ provider }: Pick<ComposedAnswer, 'provider'>): '' | null => provider.chat?.noText ?? null

function thinkingDelta(answer: ComposedAnswer, piece: string): JsonObject[] {
  if (answer.provider.chat?.thinking === 'chunks') return [{ content: [thinkingChunk(piece)] }]
  const delta = reasoningFields(answer, piece)
  return Object.keys(delta).length > 0 ? [delta] : []
}

function reasoningFields({ provider, request }: ComposedAnswer, thinking: string): JsonObject {
  const field = provider.chat?.thinking
  const isShown = thinking !== '' || provider.chat?.mustThink?.(request.body, request.model) === true
  return !isShown || field === undefined || field === 'chunks' ? {} : { [field]: thinking }
}

const thinkingChunk = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] })

const head = ({ id, created, request }: ComposedAnswer, object: string) => ({
  ...{ id, object, created, model: request.model },
  service_tier: 'default',
  system_fingerprint: 'fp_strict',
})

const usage = ({ usage: { input, output, thinking } }: ComposedAnswer) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: thinking, audio_tokens: 0 },
})

const finishReason = (answer: ComposedAnswer): string =>
  answer.stop === 'calls' && isLegacy(answer) ? 'function_call' : finishReasons[answer.stop]

const finishReasons: Record<StopReason, string> = {
  end: 'stop',
  calls: 'tool_calls',
  length: 'length',
  refusal: 'stop',
  pause: 'stop',
}
