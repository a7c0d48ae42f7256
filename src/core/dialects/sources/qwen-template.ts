import type { FactSource } from './source.ts'

export const sources: readonly FactSource[] = [
  { fact: 'system', url: 'https://github.com/ggml-org/llama.cpp/issues/20733', evidence: 'S', date: '2026-11-15' },
  { fact: 'systems', url: 'https://github.com/moltis-org/moltis/issues/317', evidence: 'S', date: '2026-11-15' },
  { fact: 'noUser', url: 'https://github.com/vllm-project/vllm/issues/6862', evidence: 'C', date: '2026-11-15' },
  { fact: 'developer', url: 'https://github.com/ggml-org/llama.cpp/issues/20733', evidence: 'C', date: '2026-11-15' },
  {
    fact: 'malformedInput',
    url: 'https://github.com/local-inference-lab/vllm/issues/684',
    evidence: 'S',
    date: '2026-11-16',
  },
  { fact: 'legacyCalls', url: 'https://github.com/ggml-org/llama.cpp/issues/20733', evidence: 'C', date: '2026-11-15' },
]
