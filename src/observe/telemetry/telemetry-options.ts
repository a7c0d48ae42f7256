import type { TelemetryApi, TelemetryTracer } from './api.ts'

export interface TelemetryOptions {
  /** The package `@opentelemetry/api`; by default the installed one, if any. */
  readonly api?: TelemetryApi
  /** The tracer to use; by default the tracer `antiphon` of the registered provider. */
  readonly tracer?: TelemetryTracer
  /**
   * Records content in spans: messages, arguments, results, reasons and error messages. Off by default; also switched on by
   * OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT, if it is `true`, `SPAN_ONLY` or `SPAN_AND_EVENT`.
   */
  readonly captureContent?: boolean
  /** The agent name in the spans of turns. */
  readonly agentName?: string
  /** `false` creates no spans for model calls: for SDKs that create their own. */
  readonly chatSpans?: boolean
}
