import { rulesBeforeRequest, rulesBehindRequest } from '../history-rules.ts'
import type { Rule } from '../rule.ts'
import { missingThinking } from './missing-thinking.ts'
import { strayThinking } from './stray-thinking.ts'
import { undeclaredTools } from './undeclared-tools.ts'

/**
 * All rules, in the order in which a repair mends them: what can be read, steps, content, ids, pairing, seating,
 * answering, reasoning, turns. Those that are named here only a request around the history can break.
 */
export const rules: readonly Rule[] = [
  ...rulesBeforeRequest,
  strayThinking,
  missingThinking,
  undeclaredTools,
  ...rulesBehindRequest,
]
