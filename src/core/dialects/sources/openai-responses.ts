import type { Source } from './source.ts'

/** How each fact is known: S a real response, D documentation, C open code, T third-party code, I inferred. */
export const sources: readonly Source[] = [
  {
    fact: 'unansweredCall',
    url: 'https://github.com/router-for-me/CLIProxyAPI/issues/2368',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'unansweredCall', url: 'https://github.com/Soju06/codex-lb/issues/1168', evidence: 'S', date: '2026-11-15' },
  {
    fact: 'unansweredCall',
    url: 'https://github.com/openai/openai-agents-python/pull/1855',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'unansweredCall',
    url: 'https://github.com/Azure-Samples/computer-use/issues/22',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'orphanResult',
    url: 'https://github.com/continuedev/continue/issues/10092',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'loneReasoning',
    url: 'https://github.com/continuedev/continue/issues/8933',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'loneReasoning', url: 'https://github.com/vercel/ai/issues/7099', evidence: 'S', date: '2026-11-15' },
  { fact: 'blankText', url: 'https://github.com/continuedev/continue/issues/11721', evidence: 'S', date: '2026-11-15' },
  {
    fact: 'callWithoutReasoning',
    url: 'https://github.com/mastra-ai/mastra/issues/8738',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'callWithoutReasoning', url: 'https://github.com/laravel/ai/pull/1052', evidence: 'T', date: '2026-11-15' },
  {
    fact: 'textWithoutReasoning',
    url: 'https://github.com/continuedev/continue/issues/11466',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'repeatedItem',
    url: 'https://github.com/openai/openai-agents-python/issues/1789',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'uniqueIds',
    url: 'https://github.com/NousResearch/hermes-agent/issues/102629',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'itemIds', url: 'https://github.com/Wei-Shaw/sub2api/issues/3785', evidence: 'S', date: '2026-11-15' },
  {
    fact: 'itemIds',
    url: 'https://github.com/langchain-ai/langchainjs/issues/11044',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'ids', url: 'https://github.com/AnswerDotAI/fastllm/issues/45', evidence: 'S', date: '2026-11-15' },
  {
    fact: 'malformedResult',
    url: 'https://github.com/browserbase/stagehand-python/issues/149',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'refusalField',
    url: 'https://platform.openai.com/docs/api-reference/responses/create',
    evidence: 'D',
    date: '2026-11-16',
  },
  {
    fact: 'malformedInput',
    url: 'https://github.com/local-inference-lab/vllm/issues/684',
    evidence: 'S',
    date: '2026-11-16',
  },
  {
    fact: 'emptyMessage',
    url: 'https://github.com/continuedev/continue/issues/11721',
    evidence: 'S',
    date: '2026-11-16',
  },
  {
    fact: 'lateResults',
    url: 'https://developers.openai.com/api/docs/guides/async-tool-calling',
    evidence: 'D',
    date: '2026-11-16',
  },
  {
    fact: 'lateResults',
    url: 'https://github.com/deepseek-ai/awesome-deepseek-integration/issues/740',
    evidence: 'T',
    date: '2026-11-16',
  },
]
