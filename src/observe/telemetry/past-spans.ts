import type { SpanContext } from './api.ts'

/**
 * The spans that this process has made of turns that are not over, by turn: whoever goes on with one here can point at the
 * span before. Nothing of it is stored, and the oldest are forgotten.
 */
const spans = new Map<string, SpanContext>()
const sizeMax = 1000

export const pastSpan = (turn: string): SpanContext | undefined => spans.get(turn)

export function rememberSpan(turn: string, span: SpanContext | undefined): void {
  spans.delete(turn)
  if (!span) return
  spans.set(turn, span)
  const [oldest] = spans.keys()
  if (spans.size > sizeMax) spans.delete(oldest)
}

export const forgetSpan = (turn: string): void => rememberSpan(turn, undefined)
