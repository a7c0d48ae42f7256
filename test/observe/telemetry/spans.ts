import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { beforeEach, expect } from 'vitest'
import { type Journal, type JournalOptions, MemoryStore, openJournal } from '../../../src/journal/index.ts'
import type { Store } from '../../../src/journal/stores/store.ts'

/** The real SDK, registered as a program does it. What it has exported is here. */
const exporter = new InMemorySpanExporter()
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())

beforeEach(() => exporter.reset())

export const tracer = trace.getTracer('test')

export const journalAt = (store: Store = new MemoryStore(), options: JournalOptions = {}): Promise<Journal> =>
  openJournal(store, options)

/** A span by its name, and those below it in the order in which they began. */
export type Tree = readonly [name: string, ...children: Tree[]]

/** All spans that have ended. Each has to be in the trace of its parent, and begin after it. */
export function tree(): Tree[] {
  const all = exporter.getFinishedSpans()
  const byId = new Map(all.map(span => [span.spanContext().spanId, span]))
  const below = (parent: string | undefined): Tree[] =>
    all
      .filter(span => parentOf(span, byId) === parent)
      .sort((one, other) => timeOf(one) - timeOf(other))
      .map(span => [span.name, ...below(span.spanContext().spanId)])
  return below(undefined)
}

export const spans = (name: string): ReadableSpan[] =>
  exporter.getFinishedSpans().filter(span => span.name === name || span.name.startsWith(`${name} `))

export function span(name: string): ReadableSpan {
  const found = spans(name)
  expect(
    found.map(({ name }) => name),
    `one span named ${name}`,
  ).toHaveLength(1)
  return found[0]
}

/** The names of all spans, in the order in which they ended. */
export const ended = (): string[] => exporter.getFinishedSpans().map(({ name }) => name)

export const eventsOf = ({ events }: ReadableSpan): [string, unknown][] =>
  events.map(({ name, attributes }) => [name, attributes])

export const eventNames = ({ events }: ReadableSpan): string[] => events.map(({ name }) => name)

export const isError = ({ status }: ReadableSpan): boolean => status.code === SpanStatusCode.ERROR

/** Whatever was exported, as text: for looking up what must not be there. */
export const exported = (): string =>
  JSON.stringify(
    exporter
      .getFinishedSpans()
      .map(({ name, attributes, events, status, links }) => ({ name, attributes, events, status, links })),
  )

function parentOf(span: ReadableSpan, byId: ReadonlyMap<string, ReadableSpan>): string | undefined {
  const parent = byId.get(span.parentSpanContext?.spanId ?? '')
  if (!parent) return undefined
  expect(span.spanContext().traceId).toBe(parent.spanContext().traceId)
  expect(timeOf(span)).toBeGreaterThanOrEqual(timeOf(parent))
  return parent.spanContext().spanId
}

const timeOf = ({ startTime: [seconds, nanos] }: ReadableSpan): number => seconds * 1e3 + nanos / 1e6
