import type { Source } from './source.ts'

/** How each fact is known: S a real response, D documentation, C open code, T third-party code, I inferred. */
export const sources: readonly Source[] = [
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
]
