import type { FactSource } from './source.ts'

export const sources: readonly FactSource[] = [
  {
    fact: 'orphanResult',
    url: 'https://github.com/MiniMax-AI/MiniMax-M2/issues/76',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'textBesideResults',
    url: 'https://github.com/anomalyco/opencode/pull/32609',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'unansweredCall',
    url: 'https://github.com/Kilo-Org/kilocode/issues/3967',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'duplicateCallId', url: 'https://github.com/VicBilibily/GCMP/pull/120', evidence: 'S', date: '2026-11-15' },
  {
    fact: 'malformedInput',
    url: 'https://github.com/earendil-works/pi/issues/5468',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'emptyMessage',
    url: 'https://github.com/MiniMax-AI/MiniMax-M2/issues/69',
    evidence: 'T',
    date: '2026-11-15',
  },
]
