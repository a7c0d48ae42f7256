import {
  approvals,
  contentKeys,
  contentLists,
  ids,
  legacyCalls,
  listedCalls,
  looseSteps,
  namedResults,
  onePartACall,
  order,
  plainReasoning,
  reasoningBlocks,
  reasoningItems,
  requests,
  sharedMessages,
  signedCalls,
  signedReasoning,
  systemMessages,
} from '../particular-rules.ts'
import type { Rule } from '../rule.ts'
import { rulesWith } from '../rule-order.ts'

/** All rules, in the order in which a repair mends them. */
export const rules: readonly Rule[] = rulesWith(
  approvals,
  contentKeys,
  contentLists,
  ids,
  legacyCalls,
  listedCalls,
  looseSteps,
  namedResults,
  onePartACall,
  order,
  plainReasoning,
  reasoningBlocks,
  reasoningItems,
  requests,
  sharedMessages,
  signedCalls,
  signedReasoning,
  systemMessages,
)
