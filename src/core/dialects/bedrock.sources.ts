import type { Source } from './source.ts'

const date = '2026-11-15'

/** How each fact is known: S a real response, D documentation, C open code, T third-party code, I inferred. */
export const sources: readonly Source[] = [
  { fact: 'unansweredCall', url: 'https://github.com/agno-agi/agno/issues/6698', evidence: 'S', date },
  { fact: 'orphanResult', url: 'https://github.com/Just-Curieous/Curie/issues/16', evidence: 'S', date },
  { fact: 'duplicateResult', url: 'https://github.com/pydantic/pydantic-ai/issues/2327', evidence: 'S', date },
  { fact: 'resultsTogether', url: 'https://github.com/anomalyco/opencode/issues/41445', evidence: 'S', date },
  { fact: 'uniqueIds', url: 'https://github.com/bvcyber/Cyber-AutoAgent-ng/issues/72', evidence: 'S', date },
  {
    fact: 'ids',
    url: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultBlock.html',
    evidence: 'D',
    date,
  },
  { fact: 'names', url: 'https://github.com/openclaw/openclaw/issues/12892', evidence: 'S', date },
  {
    fact: 'names',
    url: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html',
    evidence: 'D',
    date,
  },
  {
    fact: 'malformedInput',
    url: 'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html',
    evidence: 'I',
    date,
  },
  {
    fact: 'malformedResult',
    url: 'https://github.com/deepset-ai/haystack-core-integrations/pull/3766',
    evidence: 'S',
    date,
  },
  { fact: 'malformedResult', url: 'https://github.com/aws/aws-sdk-js-v3/issues/7330', evidence: 'S', date },
  {
    fact: 'consecutiveUsers',
    url: 'https://github.com/aws-samples/bedrock-access-gateway/issues/25',
    evidence: 'S',
    date,
  },
  {
    fact: 'consecutiveAssistants',
    url: 'https://github.com/langchain-ai/langchain-aws/issues/192',
    evidence: 'S',
    date,
  },
  { fact: 'textBehindResults', url: 'https://github.com/langchain-ai/langchain-aws/issues/130', evidence: 'S', date },
  { fact: 'textBesideResults', url: 'https://github.com/strands-agents/harness-sdk/issues/1223', evidence: 'S', date },
  { fact: 'userAfterResult', url: 'https://github.com/langchain-ai/langchain-aws/issues/141', evidence: 'S', date },
  {
    fact: 'firstAssistant',
    url: 'https://github.com/pydantic/pydantic-ai/issues/4495',
    evidence: 'S',
    date,
  },
  { fact: 'noUser', url: 'https://github.com/pydantic/pydantic-ai/issues/4495', evidence: 'S', date: '2026-11-16' },
  {
    fact: 'lastAssistant',
    url: 'https://github.com/smallmain/vscode-unify-chat-provider/issues/249',
    evidence: 'I',
    date,
  },
  { fact: 'lastAssistant', url: 'https://github.com/i-am-bee/beeai-framework/issues/753', evidence: 'S', date },
  { fact: 'systemRole', url: 'https://github.com/continuedev/continue/issues/1938', evidence: 'S', date },
  { fact: 'emptyMessage', url: 'https://github.com/aws/aws-sdk-net/pull/4015', evidence: 'S', date },
  { fact: 'emptyLast', url: 'https://github.com/aws/aws-sdk-net/pull/4015', evidence: 'I', date },
  { fact: 'blankText', url: 'https://github.com/aws/aws-sdk-net/pull/4015', evidence: 'S', date },
  { fact: 'blankText', url: 'https://github.com/NousResearch/hermes-agent/pull/41985', evidence: 'S', date },
  { fact: 'trailingSpace', url: 'https://github.com/aws/aws-sdk-net/pull/4015', evidence: 'S', date },
  { fact: 'emptyResult', url: 'https://github.com/NousResearch/hermes-agent/issues/55092', evidence: 'S', date },
  {
    fact: 'emptyResult',
    url: 'https://github.com/aws-samples/sample-multi-agent-orchestration-chat-on-agentcore/issues/15',
    evidence: 'S',
    date,
  },
  { fact: 'unsignedThinking', url: 'https://github.com/anomalyco/opencode/issues/3077', evidence: 'I', date },
  { fact: 'trailingThinking', url: 'https://github.com/anomalyco/opencode/issues/3077', evidence: 'I', date },
  { fact: 'thinkingSetting', url: 'https://github.com/anomalyco/opencode/issues/3077', evidence: 'S', date },
  { fact: 'undeclaredTools', url: 'https://github.com/langgenius/dify/issues/17545', evidence: 'S', date },
]
