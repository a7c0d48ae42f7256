import type { FactSource } from './source.ts'

export const sources: readonly FactSource[] = [
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
  { fact: 'media', url: 'https://github.com/1jehuang/jcode/issues/310', evidence: 'S', date: '2026-11-16' },
  { fact: 'media', url: 'https://github.com/rikkahub/rikkahub/issues/1433', evidence: 'S', date: '2026-11-16' },
  {
    fact: 'malformedResult',
    url: 'https://github.com/chatboxai/chatbox/issues/1740',
    evidence: 'S',
    date: '2026-11-17',
  },
]
