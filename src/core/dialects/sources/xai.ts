import type { Source } from './source.ts'

/** How each fact is known: S a real response, D documentation, C open code, T third-party code, I inferred. */
export const sources: readonly Source[] = [
  {
    fact: 'contentBesideCalls',
    url: 'https://github.com/langchain-ai/langchain/issues/34140',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'contentBesideCalls',
    url: 'https://github.com/charmbracelet/crush/issues/964',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'emptyMessage',
    url: 'https://github.com/langchain-ai/langchain/issues/34140',
    evidence: 'S',
    date: '2026-11-16',
  },
]
