import type { Source } from './source.ts'

/** How each fact is known: S a real response, D documentation, C open code, T third-party code, I inferred. */
export const sources: readonly Source[] = [
  {
    fact: 'unansweredCall',
    url: 'https://github.com/anthropics/claude-code/issues/5989',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'unansweredCall',
    url: 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls',
    evidence: 'D',
    date: '2026-11-15',
  },
  {
    fact: 'orphanResult',
    url: 'https://github.com/anthropics/claude-code/issues/13460',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'uniqueIds',
    url: 'https://github.com/anthropics/claude-code/issues/20901',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'uniqueIds', url: 'https://github.com/NVIDIA-NeMo/Switchyard/issues/502', evidence: 'T', date: '2026-11-15' },
  { fact: 'ids', url: 'https://github.com/BlockRunAI/ClawRouter/issues/17', evidence: 'S', date: '2026-11-15' },
  { fact: 'ids', url: 'https://platform.claude.com/docs/en/api/messages', evidence: 'D', date: '2026-11-15' },
  {
    fact: 'serverIds',
    url: 'https://github.com/ding113/claude-code-hub/issues/470',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'unpairedProviderCall',
    url: 'https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons',
    evidence: 'D',
    date: '2026-11-15',
  },
  {
    fact: 'unpairedProviderCall',
    url: 'https://github.com/anthropics/claude-code/issues/64383',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'wrongSide', url: 'https://github.com/tghamm/Anthropic.SDK/issues/128', evidence: 'S', date: '2026-11-15' },
  {
    fact: 'textAfterCall',
    url: 'https://github.com/anthropics/claude-code/issues/15205',
    evidence: 'T',
    date: '2026-11-15',
  },
  {
    fact: 'emptyMessage',
    url: 'https://github.com/anthropics/claude-code/issues/4416',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'blankText', url: 'https://github.com/aaif-goose/goose/pull/7343', evidence: 'S', date: '2026-11-15' },
  {
    fact: 'trailingSpace',
    url: 'https://github.com/tailcallhq/forgecode/issues/1872',
    evidence: 'S',
    date: '2026-11-15',
  },
  { fact: 'noUser', url: 'https://github.com/langgenius/dify/issues/25953', evidence: 'S', date: '2026-11-16' },
  { fact: 'noUser', url: 'https://github.com/Helicone/helicone/pull/5257', evidence: 'S', date: '2026-11-16' },
  {
    fact: 'lastAssistant',
    url: 'https://github.com/smallmain/vscode-unify-chat-provider/issues/249',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'systemRole',
    url: 'https://github.com/anthropics/claude-code/issues/61412',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'systemRole',
    url: 'https://github.com/langchain4j/langchain4j/issues/5603',
    evidence: 'T',
    date: '2026-11-15',
  },
  {
    fact: 'unsignedThinking',
    url: 'https://github.com/earendil-works/pi/pull/1523',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'trailingThinking',
    url: 'https://github.com/router-for-me/CLIProxyAPI/issues/5321',
    evidence: 'S',
    date: '2026-11-15',
  },
  {
    fact: 'resultsTogether',
    url: 'https://github.com/OnesoftQwQ/opencode-go-copilot/pull/89',
    evidence: 'T',
    date: '2026-11-15',
  },
]
