/**
 * The part of `@opentelemetry/api` 1 that is used. It is declared here so that our types do not depend on an optional package; the
 * package itself is assignable to it.
 */
export interface TelemetryApi {
  readonly trace: {
    getTracer(name: string): TelemetryTracer
    getActiveSpan(): TelemetrySpan | undefined
    setSpan(context: TelemetryContext, span: TelemetrySpan): TelemetryContext
  }
  readonly context: {
    active(): TelemetryContext
    with(context: TelemetryContext, work: () => void): void
  }
  readonly ROOT_CONTEXT: TelemetryContext
  /** Older objects of tests and programs have none. */
  readonly metrics?: { getMeter(name: string): TelemetryMeter }
}

export interface TelemetryMeter {
  createCounter(
    name: string,
    options: { description: string },
  ): { add(value: number, attributes: Record<string, string>): void }
}

export interface TelemetryTracer {
  startSpan(name: string, options: SpanOptions, context: TelemetryContext): TelemetrySpan
}

export interface TelemetrySpan {
  spanContext(): SpanContext
  setAttributes(attributes: Attributes): unknown
  addEvent(name: string, attributes: Attributes): unknown
  setStatus(status: { code: number; message?: string }): unknown
  end(): void
  isRecording(): boolean
}

export interface TelemetryContext {
  getValue(key: symbol): unknown
  setValue(key: symbol, value: unknown): TelemetryContext
  deleteValue(key: symbol): TelemetryContext
}

export interface SpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly traceFlags: number
}

export interface SpanOptions {
  readonly kind: number
  attributes: Attributes
  links: { context: SpanContext }[]
}

export interface Attributes {
  [name: string]: string | number | boolean | string[] | undefined
}

/** The API's numbers for span kinds and span status. */
export const spanKinds = { internal: 0, client: 2 } as const
export const errorStatus = 2
