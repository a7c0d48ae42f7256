import type { Source } from './source.ts'

/** How each fact is known: S a real response, D documentation, C open code, T third-party code, I inferred. */
export const sources: readonly Source[] = [
  {
    fact: 'unansweredCall',
    url: 'https://github.com/google-gemini/gemini-cli/issues/16415',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'splitResults',
    url: 'https://github.com/google-gemini/gemini-cli/issues/17208',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'splitStep', url: 'https://github.com/continuedev/continue/issues/11164', evidence: 'S', date: '2026-11-15' },
  {
    fact: 'firstAssistant',
    url: 'https://github.com/google-gemini/gemini-cli/issues/11814',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'orphanResult',
    url: 'https://github.com/google-gemini/gemini-cli/issues/14183',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'emptyMessage',
    url: 'https://github.com/egoist/chatwise-releases/issues/250',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'blankText', url: 'https://github.com/boldsoftware/sketch/issues/68', evidence: 'S', date: '2026-11-15' },
  {
    fact: 'blankText',
    url: 'https://github.com/router-for-me/CLIProxyAPI/issues/1293',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'consecutiveUsers',
    url: 'https://github.com/zuisong/gemini-openai-proxy/issues/83',
    evidence: 'T',
    date: '2026-11-15',
  },
  { fact: 'noUser', url: 'https://github.com/crewAIInc/crewAI/issues/3277', evidence: 'S', date: '2026-11-16' },
  { fact: 'lastAssistant', url: 'https://github.com/crewAIInc/crewAI/pull/6973', evidence: 'T', date: '2026-11-15' },
  {
    fact: 'names',
    url: 'https://github.com/smallmain/vscode-unify-chat-provider/issues/48',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'unnamedResult', url: 'https://github.com/ollama/ollama/issues/14214', evidence: 'S', date: '2026-11-15' },
  { fact: 'malformedResult', url: 'https://github.com/vercel/ai/pull/3589', evidence: 'S', date: '2026-11-15' },
  {
    fact: 'malformedResult',
    url: 'https://github.com/randombet/bodhi_realtime_agent/issues/10',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'signature', url: 'https://github.com/nearai/ironclaw/issues/1510', evidence: 'S', date: '2026-11-15' },
  {
    fact: 'signature',
    url: 'https://ai.google.dev/gemini-api/docs/thought-signatures',
    evidence: 'D',
    date: '2026-11-15',
  },
  { fact: 'signature', url: 'https://github.com/vercel/ai/pull/17649', evidence: 'T', date: '2026-11-15' },
  { fact: 'malformedInput', url: 'https://github.com/vercel/ai/pull/3589', evidence: 'S', date: '2026-11-16' },
  {
    fact: 'roleNames',
    url: 'https://github.com/langchain-ai/langchain-google/issues/1059',
    evidence: 'S',
    date: '2026-11-16',
  },
  {
    fact: 'consecutiveAssistants',
    url: 'https://github.com/continuedev/continue/issues/11164',
    evidence: 'S',
    date: '2026-11-16',
  },
]
