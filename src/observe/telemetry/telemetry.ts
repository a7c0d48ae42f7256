import { type Attributes, type SpanContext, spanKinds, type TelemetryApi, type TelemetryTracer } from './api.ts'
import { createGuard } from './guard.ts'
import { known, type LiveSpan, liveSpan, runIn } from './live-span.ts'
import { loadApi } from './load-api.ts'
import type { TelemetryOptions } from './telemetry-options.ts'

/** Where spans are made. Nothing in it throws. */
export interface Telemetry {
  readonly chatSpans: boolean
  readonly agentName: string | undefined
  /** Starts a span now: below its parent, else below the active one. */
  start(name: string, options: StartOptions): LiveSpan
  /** Runs something outside of every span. */
  apart<T>(work: () => T): T
}

export interface StartOptions {
  readonly kind: keyof typeof spanKinds
  readonly attributes: Attributes
  readonly parent?: LiveSpan
  readonly link?: SpanContext | undefined
}

/** Undefined if it is switched off, or if there is no `@opentelemetry/api`: then nothing is done at all. */
export async function openTelemetry(options: boolean | TelemetryOptions = true): Promise<Telemetry | undefined> {
  if (!options) return undefined
  const given = options === true ? {} : options
  const api = given.api ?? (await loadApi())
  return api && createTelemetry(api, given)
}

export function createTelemetry(api: TelemetryApi, options: TelemetryOptions): Telemetry | undefined {
  const guard = createGuard()
  const tracer: TelemetryTracer | undefined = options.tracer ?? guard(() => api.trace.getTracer('antiphon'))
  if (!tracer) return undefined
  const capturesContent = options.captureContent ?? capturesByEnvironment()
  return {
    chatSpans: options.chatSpans !== false,
    agentName: options.agentName,
    start: (name, { kind, attributes, parent, link }) => {
      const span = guard(() => {
        const around = api.context.active()
        const context = parent?.span ? api.trace.setSpan(around, parent.span) : around
        const links = link ? [{ context: link }] : []
        return tracer.startSpan(name, { kind: spanKinds[kind], attributes: known(attributes), links }, context)
      })
      return liveSpan(api, guard, span, capturesContent)
    },
    apart: work => runIn(run => guard(() => api.context.with(api.ROOT_CONTEXT, run)), work),
  }
}

/** The switch that instrumentations of other languages have too. */
function capturesByEnvironment(): boolean {
  const value = globalThis.process?.env?.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT ?? ''
  return ['true', 'span_only', 'span_and_event'].includes(value.toLowerCase())
}
