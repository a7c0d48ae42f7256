import { codecs } from '../../codecs/index.ts'
import type { Finish, Reply } from '../../codecs/shared/reply.ts'
import type { LiveSpan } from '../../observe/telemetry/live-span.ts'
import { messageContent } from '../../observe/telemetry/message-content.ts'
import { providerName } from '../../observe/telemetry/provider-name.ts'
import type { Telemetry } from '../../observe/telemetry/telemetry.ts'
import { usageAttributes, usageOf } from '../../observe/telemetry/usage.ts'
import type { Received } from '../receive.ts'
import { callsOf, type Reader } from '../render/render.ts'

/** One call of a model, from the question to the end of the answer. */
export interface ChatTrace {
  within<T>(work: () => T): T
  /** Asks the model, below the span. */
  ask<T>(messages: readonly unknown[], model: () => T): T
  /** A piece of a stream has come. */
  hear(): void
  received(received: Received): void
  fail(error: unknown): void
  /** Whatever came, nothing more is waited for. */
  end(): void
}

export const silentChat: ChatTrace = {
  within: work => work(),
  ask: (_messages, model) => model(),
  hear: () => {},
  received: () => {},
  fail: () => {},
  end: () => {},
}

export function traceChat(telemetry: Telemetry, turn: LiveSpan, reader: Reader, thread: string): ChatTrace {
  const { dialect, format, model } = reader
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
      span.content(() => ({ 'gen_ai.input.messages': messageContent(format, messages) }))
      return span.within(model)
    },
    hear: () => {
      if (hasStreamed) return
      hasStreamed = true
      const seconds = (performance.now() - startedAt) / 1000
      span.set({ 'gen_ai.request.stream': true, 'gen_ai.response.time_to_first_chunk': seconds })
    },
    received: received => {
      if (isOver) return
      describe(span, received, dialect)
      // Of one that broke off, whoever asked says whether that is an error.
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

function describe(span: LiveSpan, { reply, format }: Received, dialect: string): void {
  if (!span.isRecording) return
  const { id, model, usage, messages } = reply
  span.gather(() => {
    const reason = finishReason(reply, callsOf(format, messages).length > 0)
    span.content(() => ({ 'gen_ai.output.messages': messageContent(format, messages, reason) }))
    return {
      'gen_ai.response.id': id,
      'gen_ai.response.model': model,
      'gen_ai.response.finish_reasons': [reason],
      // The thread may not know who answers, and the answer does.
      ...(dialect === 'lenient' ? { 'gen_ai.provider.name': providerName(codecs[format].home) } : {}),
      ...usageAttributes(usageOf(usage)),
    }
  })
}

/** In the words of the conventions, where they have one. */
const finishReason = ({ finish }: Reply, makesCalls: boolean): string =>
  finish === 'stop' && makesCalls ? 'tool_call' : reasons[finish]

const reasons: Record<Finish, string> = {
  stop: 'stop',
  length: 'length',
  refusal: 'content_filter',
  pause: 'pause',
  cut: 'cut',
}
