import type { Source } from './source.ts'

/** How each fact is known: S a real response, D documentation, C open code, T third-party code, I inferred. */
export const sources: readonly Source[] = [
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
