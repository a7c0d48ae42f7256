import type { FactSource } from './source.ts'

export const sources: readonly FactSource[] = [
  {
    fact: 'consecutiveUsers',
    url: 'https://github.com/nextai-translator/raycast-openai-translator/issues/34',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'consecutiveAssistants',
    url: 'https://github.com/simular-ai/Agent-S/issues/70',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'system', url: 'https://github.com/nomic-ai/gpt4all/issues/3255', evidence: 'C', date: '2026-11-15' },
  {
    fact: 'malformedInput',
    url: 'https://github.com/local-inference-lab/vllm/issues/684',
    evidence: 'S',
    date: '2026-11-16',
  },
  {
    fact: 'firstAssistant',
    url: 'https://github.com/nextai-translator/raycast-openai-translator/issues/34',
    evidence: 'S',
    date: '2026-11-16',
  },
  { fact: 'systems', url: 'https://github.com/nomic-ai/gpt4all/issues/3255', evidence: 'C', date: '2026-11-16' },
  { fact: 'developer', url: 'https://github.com/nomic-ai/gpt4all/issues/3255', evidence: 'C', date: '2026-11-16' },
  { fact: 'legacyCalls', url: 'https://github.com/nomic-ai/gpt4all/issues/3255', evidence: 'C', date: '2026-11-16' },
]
