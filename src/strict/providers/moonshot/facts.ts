import type { ProviderFact } from '../../facts/fact.ts'

export const facts: readonly ProviderFact[] = [
  {
    id: 'km-missing',
    rule: 'results missing.',
    words:
      "`an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: {id}` (lower-case \"an\"; may carry prefix `Invalid request: `)",
    evidence: 'S',
    sources: ['https://github.com/MoonshotAI/kimi-cli/issues/2405'],
  },
  {
    id: 'km-orphan',
    rule: 'unknown id; template is `tool_call_id {id} is not found` (empty id → two spaces).',
    words: '`Invalid request: tool_call_id  is not found`',
    evidence: 'S',
    sources: [],
  },
  {
    id: 'km-reasoning',
    rule: 'thinking on: every assistant tool-call message needs reasoning_content.',
    words: '`thinking is enabled but reasoning_content is missing in assistant tool call message at index {N}`',
    evidence: 'S',
    sources: [
      'https://github.com/mastra-ai/mastra/issues/12592',
      'https://github.com/continuedev/continue/issues/11600',
    ],
  },
  {
    id: 'km-empty',
    rule: 'empty assistant.',
    words: "`Invalid request: the message at position {N} with role 'assistant' must not be empty`",
    evidence: 'T',
    sources: [],
  },
]
