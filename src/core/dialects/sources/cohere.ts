import type { Source } from './source.ts'

/** How each fact is known: S a real response, D documentation, C open code, T third-party code, I inferred. */
export const sources: readonly Source[] = [
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
