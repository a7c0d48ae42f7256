import { type Attributes, errorStatus, type SpanContext, type TelemetryApi, type TelemetrySpan } from './api.ts'
import { errorType } from './error-type.ts'
import type { Guard } from './guard.ts'

/** Wraps a span so that its errors never reach the caller. Without a span, it does nothing. */
export interface LiveSpan {
  readonly span: TelemetrySpan | undefined
  /** Whether it is part of a trace, recorded or not. False without an OpenTelemetry SDK. */
  readonly isReal: boolean
  /** Whether it is recorded: if not, no attributes need to be computed. */
  readonly isRecording: boolean
  readonly capturesContent: boolean
  readonly context: SpanContext | undefined
  set(attributes: Attributes): void
  /** Sets attributes that are computed only if the span is recorded. */
  setLazily(attributes: () => Attributes): void
  /** Sets attributes with message content, only if content may be captured. */
  setContent(attributes: () => Attributes): void
  event(name: string, attributes?: Attributes): void
  /** Marks the span as failed. The error message counts as content. */
  fail(error: unknown): void
  end(): void
  /** Runs `work` exactly once with this span as the active one, and returns or throws what it does. */
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
  const setLazily = (attributes: () => Attributes): void => {
    if (isRecording) guard(() => span?.setAttributes(withoutUndefined(attributes())))
  }
  return {
    ...{ span, isRecording, capturesContent, context, setLazily },
    isReal: isRecording || /[^0]/.test(context?.traceId ?? ''),
    set: attributes => setLazily(() => attributes),
    setContent: attributes => {
      if (capturesContent) setLazily(attributes)
    },
    event: (name, attributes = {}) => {
      if (isRecording) guard(() => span?.addEvent(name, withoutUndefined(attributes)))
    },
    fail: error => {
      setLazily(() => ({ 'error.type': errorType(error) }))
      const message = capturesContent ? guard(() => messageOf(error)) : undefined
      if (isRecording) guard(() => span?.setStatus({ code: errorStatus, ...(message ? { message } : {}) }))
    },
    end: () => {
      guard(() => span?.end())
    },
    within: work => {
      if (!span) return work()
      const enter = (run: () => void): unknown =>
        guard(() => api.context.with(api.trace.setSpan(api.context.active(), span), run))
      return runInContext(enter, work)
    },
  }
}

/** Runs `work` exactly once: through `enter`, or directly if `enter` fails first or never calls it. */
export function runInContext<T>(enter: (run: () => void) => unknown, work: () => T): T {
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

export const withoutUndefined = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))

const messageOf = (error: unknown): string | undefined => {
  const { message } = (error ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : undefined
}
