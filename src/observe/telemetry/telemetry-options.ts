import type { TelemetryApi, TelemetryTracer } from './api.ts'

export interface TelemetryOptions {
  /** The package `@opentelemetry/api`; by default the one that is installed, if there is one. */
  readonly api?: TelemetryApi
  /** What makes the spans; by default the tracer `antiphon` of the provider that is registered. */
  readonly tracer?: TelemetryTracer
  /**
   * Puts what was said into the spans: messages, arguments, results, reasons and the words of errors. Off by default; also
   * switched on by OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT, if it is `true`, `SPAN_ONLY` or `SPAN_AND_EVENT`.
   */
  readonly captureContent?: boolean
  /** The name that the spans of turns have. */
  readonly agentName?: string
  /** `false` makes no spans of model calls: for models whose SDK makes its own. */
  readonly chatSpans?: boolean
}
