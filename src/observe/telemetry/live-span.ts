import { type Attributes, errorStatus, type SpanContext, type TelemetryApi, type TelemetrySpan } from './api.ts'
import { errorType } from './error-type.ts'
import type { Guard } from './guard.ts'

/** A span that can harm nobody: whatever fails in it is caught. Without a span behind it, it does nothing. */
export interface LiveSpan {
  readonly span: TelemetrySpan | undefined
  /** Whether it stands in a trace, be it one that nobody records. Without an SDK it does not. */
  readonly isReal: boolean
  /** Whether anybody will see it: if not, nothing has to be gathered for it. */
  readonly isRecording: boolean
  readonly capturesContent: boolean
  readonly context: SpanContext | undefined
  set(attributes: Attributes): void
  /** The same with what has to be made first, and only if somebody will see it. */
  gather(attributes: () => Attributes): void
  /** The same with words that somebody said: only if they may be captured. */
  content(attributes: () => Attributes): void
  event(name: string, attributes?: Attributes): void
  /** It ended in this error. What the error says is content. */
  fail(error: unknown): void
  end(): void
  /** Runs something with this span as the active one, exactly once. What it gives back or throws comes out. */
  within<T>(work: () => T): T
}

export function liveSpan(
  api: TelemetryApi,
  guard: Guard,
  span: TelemetrySpan | undefined,
  capturesContent: boolean,
): LiveSpan {
  const isRecording = guard(() => span?.isRecording()) === true
  const context = guard(() => span?.spanContext())
  const gather = (attributes: () => Attributes): void => {
    if (isRecording) guard(() => span?.setAttributes(known(attributes())))
  }
  return {
    ...{ span, isRecording, capturesContent, context, gather },
    isReal: isRecording || /[^0]/.test(context?.traceId ?? ''),
    set: attributes => gather(() => attributes),
    content: attributes => {
      if (capturesContent) gather(attributes)
    },
    event: (name, attributes = {}) => {
      if (isRecording) guard(() => span?.addEvent(name, known(attributes)))
    },
    fail: error => {
      gather(() => ({ 'error.type': errorType(error) }))
      const message = capturesContent ? guard(() => wordsIn(error)) : undefined
      if (isRecording) guard(() => span?.setStatus({ code: errorStatus, ...(message ? { message } : {}) }))
    },
    end: () => {
      guard(() => span?.end())
    },
    within: work => {
      if (!span) return work()
      const enter = (run: () => void): unknown =>
        guard(() => api.context.with(api.trace.setSpan(api.context.active(), span), run))
      return runIn(enter, work)
    },
  }
}

/** Runs the work through `enter`; by itself if `enter` fails before it does, or never does. */
export function runIn<T>(enter: (run: () => void) => unknown, work: () => T): T {
  let done: { readonly value: T } | { readonly error: unknown } | undefined
  const run = (): void => {
    if (done) return
    try {
      done = { value: work() }
    } catch (error) {
      done = { error }
    }
  }
  enter(run)
  run()
  const result = done as unknown as { readonly value: T } | { readonly error: unknown }
  if ('error' in result) throw result.error
  return result.value
}

export const known = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))

const wordsIn = (error: unknown): string | undefined => {
  const { message } = (error ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : undefined
}
