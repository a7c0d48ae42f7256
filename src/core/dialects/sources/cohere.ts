import type { FactSource } from './source.ts'

export const sources: readonly FactSource[] = [
  {
    fact: 'unansweredCall',
    url: 'https://github.com/oracle/langchain-oracle/issues/10',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'emptyMessage',
    url: 'https://github.com/langchain-ai/langchain-cohere/pull/15',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'malformedInput',
    url: 'https://github.com/local-inference-lab/vllm/issues/684',
    evidence: 'S',
    date: '2026-11-16',
  },
]
