import type { Source } from './source.ts'

/** How each fact is known: S a real response, D documentation, C open code, T third-party code, I inferred. */
export const sources: readonly Source[] = [
  {
    fact: 'unansweredCall',
    url: 'https://github.com/smallmain/vscode-unify-chat-provider/issues/248',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'orphanResult',
    url: 'https://github.com/FoundationAgents/OpenManus/issues/744',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'missingReasoning',
    url: 'https://github.com/zed-industries/zed/issues/55321',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'textAfterCall',
    url: 'https://github.com/deepseek-ai/awesome-deepseek-integration/issues/740',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'systemRole',
    url: 'https://github.com/deepseek-ai/awesome-deepseek-integration/issues/639',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'malformedInput', url: 'https://github.com/vercel/ai/issues/8132', evidence: 'I', date: '2026-11-15' },
  {
    fact: 'malformedInput',
    url: 'https://github.com/local-inference-lab/vllm/issues/684',
    evidence: 'S',
    date: '2026-11-16',
  },
  {
    fact: 'consecutiveUsers',
    url: 'https://github.com/open-webui/open-webui/issues/9266',
    evidence: 'S',
    date: '2026-11-16',
  },
  {
    fact: 'consecutiveAssistants',
    url: 'https://github.com/open-webui/open-webui/issues/9266',
    evidence: 'S',
    date: '2026-11-16',
  },
]
