import type { FactSource } from './source.ts'

export const sources: readonly FactSource[] = [
  {
    fact: 'unansweredCall',
    url: 'https://github.com/router-for-me/CLIProxyAPI/issues/2798',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'unansweredCall', url: 'https://github.com/BerriAI/litellm/issues/10083', evidence: 'S', date: '2026-11-15' },
  { fact: 'orphanResult', url: 'https://github.com/smarter-sh/smarter/issues/264', evidence: 'S', date: '2026-11-15' },
  { fact: 'orphanResult', url: 'https://github.com/miurla/morphic/issues/136', evidence: 'S', date: '2026-11-15' },
  { fact: 'duplicateResult', url: 'https://github.com/agno-agi/agno/issues/5116', evidence: 'S', date: '2026-11-15' },
  { fact: 'emptyCalls', url: 'https://github.com/openai/openai-python/issues/2061', evidence: 'S', date: '2026-11-15' },
  { fact: 'ids', url: 'https://github.com/camel-ai/camel/issues/2215', evidence: 'S', date: '2026-11-15' },
  { fact: 'ids', url: 'https://github.com/Portkey-AI/gateway/issues/1062', evidence: 'S', date: '2026-11-15' },
  { fact: 'names', url: 'https://github.com/continuedev/continue/issues/11645', evidence: 'S', date: '2026-11-15' },
  {
    fact: 'emptyMessage',
    url: 'https://github.com/langchain-ai/langchainjs/issues/4153',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'contentBesideCalls',
    url: 'https://github.com/openinterpreter/openinterpreter/issues/115',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'malformedInput', url: 'https://github.com/vercel/ai/issues/8132', evidence: 'I', date: '2026-11-15' },
  {
    fact: 'refusalField',
    url: 'https://platform.openai.com/docs/api-reference/chat/create',
    evidence: 'D',
    date: '2026-11-16',
  },
  {
    fact: 'malformedInput',
    url: 'https://github.com/local-inference-lab/vllm/issues/684',
    evidence: 'S',
    date: '2026-11-16',
  },
  { fact: 'imageTypes', url: 'https://github.com/STranslate/STranslate/issues/277', evidence: 'S', date: '2026-11-16' },
  {
    fact: 'unreadableImages',
    url: 'https://github.com/marketing-factory/ai-filemetadata/issues/26',
    evidence: 'S',
    date: '2026-11-16',
  },
  { fact: 'toolNames', url: 'https://github.com/mcp-use/mcp-use/issues/90', evidence: 'S', date: '2026-11-17' },
  {
    fact: 'toolNames',
    url: 'https://platform.openai.com/docs/api-reference/chat/create',
    evidence: 'D',
    date: '2026-11-17',
  },
  {
    fact: 'toolNames',
    url: 'https://github.com/danishjsheikh/swagger-mcp/issues/13',
    evidence: 'S',
    date: '2026-11-17',
  },
  {
    fact: 'assistantImages',
    url: 'https://github.com/openai/openai-node/issues/1030',
    evidence: 'S',
    date: '2026-11-17',
  },
]
