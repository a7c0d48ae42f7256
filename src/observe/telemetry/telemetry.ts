import { type Attributes, type SpanContext, spanKinds, type TelemetryApi, type TelemetryTracer } from './api.ts'
import { createGuard } from './guard.ts'
import { type LiveSpan, liveSpan, runInContext, withoutUndefined } from './live-span.ts'
import { loadTelemetryApi } from './load-api.ts'
import type { TelemetryOptions } from './telemetry-options.ts'

/** Creates spans. Never throws. */
export interface Telemetry {
  readonly chatSpans: boolean
  readonly agentName: string | undefined
  /** Starts a span as a child of `parent`, or else of the active span. */
  start(name: string, options: StartOptions): LiveSpan
  /** Counts a lost connection of a live transport. */
  countOutage(transport: string): void
  /** Runs `work` without an active span. */
  withoutSpan<T>(work: () => T): T
}

export interface StartOptions {
  readonly kind: keyof typeof spanKinds
  readonly attributes: Attributes
  readonly parent?: LiveSpan
  readonly link?: SpanContext | undefined
}

/** Undefined if telemetry is switched off or `@opentelemetry/api` is not installed. */
export async function openTelemetry(options: boolean | TelemetryOptions = true): Promise<Telemetry | undefined> {
  if (!options) return undefined
  const given = options === true ? {} : options
  const api = given.api ?? (await loadTelemetryApi())
  return api && createTelemetry(api, given)
}

export function createTelemetry(api: TelemetryApi, options: TelemetryOptions): Telemetry | undefined {
  const guard = createGuard()
  const tracer: TelemetryTracer | undefined = options.tracer ?? guard(() => api.trace.getTracer('antiphon'))
  if (!tracer) return undefined
  const outages = guard(() =>
    api.metrics?.getMeter('antiphon').createCounter('antiphon.live.outages', {
      description: 'Lost connections between the processes of a journal. Until they are back, processes poll.',
    }),
  )
  const capturesContent = options.captureContent ?? capturesByEnvironment()
  return {
    chatSpans: options.chatSpans !== false,
    agentName: options.agentName,
    start: (name, { kind, attributes, parent, link }) => {
      const span = guard(() => {
        const active = api.context.active()
        const context = parent?.span ? api.trace.setSpan(active, parent.span) : active
        const links = link ? [{ context: link }] : []
        return tracer.startSpan(
          name,
          { kind: spanKinds[kind], attributes: withoutUndefined(attributes), links },
          context,
        )
      })
      return liveSpan(api, guard, span, capturesContent)
    },
    countOutage: transport => {
      guard(() => outages?.add(1, { 'antiphon.live.transport': transport }))
    },
    withoutSpan: work => runInContext(run => guard(() => api.context.with(api.ROOT_CONTEXT, run)), work),
  }
}

/** The environment variable that OpenTelemetry instrumentations of other languages use, too. */
function capturesByEnvironment(): boolean {
  const value = globalThis.process?.env?.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT ?? ''
  return ['true', 'span_only', 'span_and_event'].includes(value.toLowerCase())
}
