import { isRecord } from '../../../core/conversation.ts'
import { placeholderTexts } from '../../../core/placeholder.ts'
import { printLike } from '../../files/print-like.ts'
import type { Decision } from './decisions.ts'
import { isDecision, rejected, toolRole } from './script.ts'

/**
 * The lines that a line becomes in which decisions are left. One that nobody acted on is the result of its call then, as
 * the framework itself puts one in its place; one that is done is gone. What else the line says stands behind them.
 */
export function decidedLines(text: string, stale: readonly Decision[], spent: readonly Decision[]): string[] {
  const value: unknown = JSON.parse(text)
  if (!isRecord(value) || !Array.isArray(value.contents)) return [text]
  const places = new Set([...stale, ...spent].map(({ index }) => index))
  const contents = value.contents.filter((_, index) => !places.has(index))
  const decisions = contents.filter(isDecision)
  const words = contents.filter(content => !isDecision(content))
  const results = stale.map(({ id, isGranted }) => ({
    type: 'function_result',
    call_id: id,
    result: isGranted ? placeholderTexts.unknown : rejected,
  }))
  return [
    ...(decisions.length > 0 ? [{ ...value, contents: decisions }] : []),
    ...(results.length > 0 ? [{ ...value, role: toolRole(value), contents: results }] : []),
    ...(words.length > 0 ? [{ ...value, contents: words }] : []),
  ].map((line, index) => printLike({ text, value }, index === 0 ? line : { ...line, message_id: undefined }))
}
