import type { FactSource } from './source.ts'

export const sources: readonly FactSource[] = [
  {
    fact: 'noUser',
    url: 'https://github.com/MetaGLM/zhipuai-sdk-python-v4/issues/14',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'noUser', url: 'https://github.com/anomalyco/opencode/issues/2557', evidence: 'S', date: '2026-11-15' },
  { fact: 'systemRole', url: 'https://github.com/zai-org/GLM-5/issues/74', evidence: 'S', date: '2026-11-15' },
  {
    fact: 'malformedInput',
    url: 'https://github.com/local-inference-lab/vllm/issues/684',
    evidence: 'S',
    date: '2026-11-16',
  },
  { fact: 'developer', url: 'https://github.com/vastsa/PI-Desktop/issues/30', evidence: 'S', date: '2026-11-17' },
]
