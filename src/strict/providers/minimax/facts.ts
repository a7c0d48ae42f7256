import type { ProviderFact } from '../../facts/fact.ts'

export const facts: readonly ProviderFact[] = [
  {
    id: 'mm-orphan',
    rule: 'unknown result id (ids must be echoed exactly).',
    words: "`invalid params, tool result's tool id({id}) not found (2013)`",
    evidence: 'S',
    sources: [
      'https://github.com/MiniMax-AI/MiniMax-M2/issues/76',
      'https://github.com/agent0ai/agent-zero/issues/1754',
    ],
  },
  {
    id: 'mm-not-follow',
    rule: 'result does not directly follow; also when text follows the tool_result in the same user message (Anthropic allows that).',
    words: '`invalid params, tool call result does not follow tool call (2013)` (ANT-MM)',
    evidence: 'S',
    sources: ['https://github.com/anomalyco/opencode/pull/32609', 'https://github.com/anomalyco/opencode/issues/32614'],
  },
  {
    id: 'mm-mismatch',
    rule: 'counts differ.',
    words: '`invalid params, tool call and result not match (2013)`',
    evidence: 'S',
    sources: ['https://github.com/Kilo-Org/kilocode/issues/3967'],
  },
  {
    id: 'mm-dup',
    rule: 'duplicate call id.',
    words: '`invalid params, duplicate tool_call id: {id}` (status_code=2013)',
    evidence: 'S',
    sources: ['https://github.com/VicBilibily/GCMP/pull/120'],
  },
  {
    id: 'mm-id-invalid',
    rule: 'id format.',
    words: '`invalid params, tool call id is invalid (2013)`',
    evidence: 'S',
    sources: ['https://github.com/Kilo-Org/kilocode/issues/3967'],
  },
  {
    id: 'mm-args',
    rule: 'arguments must be JSON.',
    words: '`invalid params, invalid function arguments json string, tool_call_id: {id} (2013)`',
    evidence: 'S',
    sources: ['https://github.com/earendil-works/pi/issues/5468'],
  },
  {
    id: 'mm-empty',
    rule: 'empty content with tool calls / empty tool output / no user.',
    words: '`invalid params, chat content is empty (2013)`',
    evidence: 'T',
    sources: [],
  },
]
