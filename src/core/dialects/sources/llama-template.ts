import type { FactSource } from './source.ts'

export const sources: readonly FactSource[] = [
  {
    fact: 'parallelCalls',
    url: 'https://huggingface.co/meta-llama/Llama-3.1-8B-Instruct',
    evidence: 'C',
    date: '2026-11-15',
  },
  {
    fact: 'malformedInput',
    url: 'https://github.com/local-inference-lab/vllm/issues/684',
    evidence: 'S',
    date: '2026-11-16',
  },
]
