import { isRecord } from '../../../core/conversation.ts'
import { placeholderTexts } from '../../../core/placeholder.ts'
import { printLike } from '../../files/print-like.ts'
import type { ApprovalDecision } from './decisions.ts'
import { isDecision, rejected, toolRole } from './record-format.ts'

/**
 * The lines that replace a line with leftover decisions. A decision that was never acted on becomes the result of its
 * call, as the framework itself does it; one that is done is removed. Other content of the line follows.
 */
export function decidedLines(
  text: string,
  stale: readonly ApprovalDecision[],
  spent: readonly ApprovalDecision[],
): string[] {
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
