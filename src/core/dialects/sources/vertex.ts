import type { FactSource } from './source.ts'

export const sources: readonly FactSource[] = [
  {
    fact: 'roleNames',
    url: 'https://github.com/langchain-ai/langchain-google/issues/1059',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'roleNames',
    url: 'https://github.com/langchain-ai/langchainjs/pull/10400',
    evidence: 'T',
    date: '2026-11-15',
  },
  { fact: 'emptyMessage', url: 'https://github.com/QuantumNous/new-api/pull/1260', evidence: 'S', date: '2026-11-15' },
  {
    fact: 'blankText',
    url: 'https://github.com/google-gemini/deprecated-generative-ai-python/issues/727',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'unansweredCall',
    url: 'https://github.com/google-gemini/gemini-cli/issues/16415',
    evidence: 'I',
    date: '2026-11-15',
  },
]
