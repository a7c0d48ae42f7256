import type { FactSource } from './source.ts'

export const sources: readonly FactSource[] = [
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
