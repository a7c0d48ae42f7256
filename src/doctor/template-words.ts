import { dialects } from '../core/dialects/index.ts'
import type { Repair } from '../core/rules/repair.ts'

/** A misplaced system message is refused by the templates of local servers; a report quotes them where its reader has no words. */
export function withTemplateWords(repair: Repair): Repair {
  const refusal = repair.rule === 'system-not-first' ? dialects['qwen-template'].refusals[repair.rule] : undefined
  return repair.refusal === undefined && refusal !== undefined ? { ...repair, refusal } : repair
}
