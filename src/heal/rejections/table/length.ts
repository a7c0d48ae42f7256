import type { RejectionEntry } from '../rejection.ts'

/** What is too long: bytes and strings. */
export const lengthRejections: readonly RejectionEntry[] = [
  {
    id: 'an-request-bytes',
    kind: 'request-bytes',
    provider: 'anthropic',
    status: 413,
    words: /Request exceeds the maximum size|request_too_large/,
    repair: 'request-bytes',
    source: 'anthropics/claude-code#8092',
  },
  {
    id: 'ge-request-bytes',
    kind: 'request-bytes',
    provider: 'gemini',
    status: 400,
    words: /Request payload size exceeds the limit: (?<limit>[\d,]+) bytes/,
    repair: 'request-bytes',
    source: 'BerriAI/litellm',
  },
  {
    id: 'gh-request-size',
    kind: 'request-bytes',
    provider: 'github-copilot',
    status: 413,
    words: /too large to send natively .{0,300}\((?<used>[\d.]+) MB request; (?<limit>[\d.]+) MB limit\)/s,
    repair: 'request-megabytes',
    source: 'github/copilot-cli#3767',
  },
  {
    id: 'gh-request-bytes',
    kind: 'request-bytes',
    provider: 'github-copilot',
    status: 413,
    words: /^failed to parse request$/,
    repair: 'request-copilot',
    source: 'microsoft/vscode#303825',
  },
  {
    id: 'or-callid-len',
    kind: 'tool-id',
    provider: 'openai',
    status: 400,
    words:
      /Invalid input\[\d+\]\.call_id: (string too long(\. Expected a string with maximum length (?<limit>\d+))?|empty string)/,
    repair: 'tool-ids',
    history: { reader: 'openai-responses' },
    source: 'camel-ai/camel#2215',
  },
  {
    id: 'oc-id-too-long',
    kind: 'tool-id',
    provider: 'openai, azure',
    status: 400,
    words:
      /(\.tool_calls\[\d+\]\.id|\.tool_call_id): string too long(\. Expected a string with maximum length (?<limit>\d+))?/,
    repair: 'tool-ids',
    history: {},
    source: 'camel-ai/camel#2215',
  },
  {
    id: 'oc-string-length',
    kind: 'request-bytes',
    provider: 'openai',
    status: 400,
    words:
      /string too long\. Expected a string with maximum length (?<limit>\d+), but got a string with length (?<used>\d+)/,
    repair: 'string-length',
    source: 'Shopify/roast#52',
  },
  {
    id: 'qw-string-length',
    kind: 'request-bytes',
    provider: 'dashscope',
    status: 400,
    words: /String value length \((?<used>\d+)\) exceeds the maximum allowed \((?<limit>\d+)/,
    repair: 'string-longest',
    source: 'QwenLM/qwen-code#1082',
  },
]
