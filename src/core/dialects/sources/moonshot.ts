import type { FactSource } from './source.ts'

export const sources: readonly FactSource[] = [
  {
    fact: 'unansweredCall',
    url: 'https://github.com/MoonshotAI/kimi-cli/issues/2405',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'missingReasoning',
    url: 'https://github.com/mastra-ai/mastra/issues/12592',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'missingReasoning',
    url: 'https://github.com/continuedev/continue/issues/11600',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'emptyMessage',
    url: 'https://github.com/MoonshotAI/kimi-cli/issues/2405',
    evidence: 'T',
    date: '2026-11-15',
  },
  {
    fact: 'malformedInput',
    url: 'https://github.com/local-inference-lab/vllm/issues/684',
    evidence: 'S',
    date: '2026-11-16',
  },
  { fact: 'emptyMessage', url: 'https://github.com/lobehub/lobehub/pull/8419', evidence: 'S', date: '2026-11-16' },
  {
    fact: 'emptyMessage',
    url: 'https://github.com/AstrBotDevs/AstrBot/issues/7200',
    evidence: 'S',
    date: '2026-11-16',
  },
  {
    fact: 'toolReferences',
    url: 'https://github.com/MoonshotAI/Kimi-K2/issues/118',
    evidence: 'S',
    date: '2026-11-16',
  },
]
