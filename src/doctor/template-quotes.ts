import { dialects } from '../core/dialects/index.ts'
import type { Repair } from '../core/rules/repair.ts'

/**
 * A misplaced system message is rejected by the templates of local servers; a report quotes them if its dialect has no
 * message for it.
 */
export function withTemplateQuotes(repair: Repair): Repair {
  const refusal = repair.rule === 'system-not-first' ? dialects['qwen-template'].refusals[repair.rule] : undefined
  return repair.refusal === undefined && refusal !== undefined ? { ...repair, refusal } : repair
}
