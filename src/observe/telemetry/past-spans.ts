import type { SpanContext } from './api.ts'

/**
 * The spans of unfinished turns, by turn, so that a turn that is continued in this process can link to its earlier span. They are kept in
 * memory only, up to a maximum.
 */
const spans = new Map<string, SpanContext>()
const sizeMax = 1000

export const pastSpan = (turn: string): SpanContext | undefined => spans.get(turn)

export function rememberSpan(turn: string, span: SpanContext | undefined): void {
  spans.delete(turn)
  if (!span) return
  spans.set(turn, span)
  const [oldest] = spans.keys()
  if (oldest !== undefined && spans.size > sizeMax) spans.delete(oldest)
}

export const forgetSpan = (turn: string): void => rememberSpan(turn, undefined)
