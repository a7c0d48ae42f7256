import { codecs } from '../../codecs/index.ts'
import type { Finish, Reply } from '../../codecs/shared/reply.ts'
import type { LiveSpan } from '../../observe/telemetry/live-span.ts'
import { messageContent } from '../../observe/telemetry/message-content.ts'
import { providerName } from '../../observe/telemetry/provider-name.ts'
import type { Telemetry } from '../../observe/telemetry/telemetry.ts'
import { readUsage, usageAttributes } from '../../observe/telemetry/usage.ts'
import type { ReceivedReply } from '../receive.ts'
import { decodeCalls, type RenderTarget } from '../render/render.ts'

/** The span of one model call, from the request to the end of the response. */
export interface ChatTrace {
  within<T>(work: () => T): T
  /** Calls the model within the span. */
  ask<T>(messages: readonly unknown[], model: () => T): T
  /** A chunk of the stream was received. */
  chunkReceived(): void
  received(received: ReceivedReply): void
  fail(error: unknown): void
  /** Ends the span. It counts as interrupted if no response was received. */
  end(): void
}

export const noopChatTrace: ChatTrace = {
  within: work => work(),
  ask: (_messages, model) => model(),
  chunkReceived: () => {},
  received: () => {},
  fail: () => {},
  end: () => {},
}

export function traceChat(telemetry: Telemetry, turn: LiveSpan, target: RenderTarget, thread: string): ChatTrace {
  const { dialect, format, model } = target
  const span = telemetry.start(model === undefined ? 'chat' : `chat ${model}`, {
    kind: 'client',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': providerName(dialect),
      'gen_ai.conversation.id': thread,
      'gen_ai.request.model': model,
    },
    parent: turn,
  })
  const startedAt = performance.now()
  let hasStreamed = false
  let isOver = false
  const end = (): void => {
    if (!isOver) span.end()
    isOver = true
  }
  return {
    within: span.within,
    ask: (messages, model) => {
      span.setContent(() => ({ 'gen_ai.input.messages': messageContent(format, messages) }))
      return span.within(model)
    },
    chunkReceived: () => {
      if (hasStreamed) return
      hasStreamed = true
      const seconds = (performance.now() - startedAt) / 1000
      span.set({ 'gen_ai.request.stream': true, 'gen_ai.response.time_to_first_chunk': seconds })
    },
    received: received => {
      if (isOver) return
      describe(span, received, dialect)
      // Whether a stream that broke off is an error is for the caller to say.
      if (received.error === undefined) end()
    },
    fail: error => {
      if (!isOver) span.fail(error)
      end()
    },
    end: () => {
      if (!isOver) span.set({ 'antiphon.chat.status': 'interrupted' })
      end()
    },
  }
}

function describe(span: LiveSpan, { reply, format }: ReceivedReply, dialect: string): void {
  if (!span.isRecording) return
  const { id, model, usage, messages } = reply
  span.setLazily(() => {
    const reason = finishReason(reply, decodeCalls(format, messages).length > 0)
    span.setContent(() => ({ 'gen_ai.output.messages': messageContent(format, messages, reason) }))
    return {
      'gen_ai.response.id': id,
      'gen_ai.response.model': model,
      'gen_ai.response.finish_reasons': [reason],
      // The thread may not know its provider; the format of the response tells.
      ...(dialect === 'lenient' ? { 'gen_ai.provider.name': providerName(codecs[format].home) } : {}),
      ...usageAttributes(readUsage(usage)),
    }
  })
}

/** As the OpenTelemetry conventions for generative AI name it, where they have a name. */
const finishReason = ({ finish }: Reply, makesCalls: boolean): string =>
  finish === 'stop' && makesCalls ? 'tool_call' : reasons[finish]

const reasons: Record<Finish, string> = {
  stop: 'stop',
  length: 'length',
  refusal: 'content_filter',
  pause: 'pause',
  cut: 'cut',
}
