import type { ProviderFact } from '../../facts/fact.ts'

export const facts: readonly ProviderFact[] = [
  {
    id: 'oc-missing-result',
    rule: 'After an assistant message with tool_calls, every id must be answered by tool messages that follow at once (before any other role).',
    words:
      "`An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: {id}[, {id}]`",
    evidence: 'S',
    sources: [
      'https://github.com/router-for-me/CLIProxyAPI/issues/2798',
      'https://github.com/BerriAI/litellm/issues/10083',
    ],
  },
  {
    id: 'oc-user-between',
    rule: 'A user/system/assistant message between the call and (part of) its results is the same error: run of tool messages is cut.',
    words: 'as oc-missing-result (for ids not yet answered); the late `t` then also violates oc-orphan',
    evidence: 'S',
    sources: [
      'https://github.com/tonybaloney/llm-github-models/pull/38',
      'https://github.com/microsoft/agent-framework/issues/694',
      'https://github.com/BoundaryML/baml/pull/4807',
    ],
  },
  {
    id: 'oc-trailing-call',
    rule: 'A history that ends with unanswered tool_calls is rejected as well; the parameter is then `messages`.',
    words: 'as oc-missing-result',
    evidence: 'S',
    sources: [
      'https://langchain-ra7ipaggj-langchain.vercel.app/docs/troubleshooting/errors/INVALID_TOOL_RESULTS',
      'https://github.com/aliasrobotics/cai/issues/111',
    ],
  },
  {
    id: 'oc-orphan',
    rule: 'A tool message must directly follow an assistant with tool_calls or another tool message of that run.',
    words:
      "`Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.` (sic: \"preceeding\")",
    evidence: 'S',
    sources: [
      'https://github.com/smarter-sh/smarter/issues/264',
      'https://github.com/miurla/morphic/issues/136',
      'https://github.com/run-llama/llama_index/issues/10493',
    ],
  },
  {
    id: 'oc-unknown-id',
    rule: "The tool message's tool_call_id must be one of the ids of the assistant message that opens the run.",
    words: "`Invalid parameter: 'tool_call_id' of '{id}' not found in 'tool_calls' of previous message.`",
    evidence: 'T',
    sources: [],
  },
  {
    id: 'oc-dup-result',
    rule: 'Two tool messages may not carry the same tool_call_id.',
    words: "`Invalid parameter: Duplicate value for 'tool_call_id' of '{id}', in messages[{i}] and messages[{j}].`",
    evidence: 'S',
    sources: [
      'https://github.com/agno-agi/agno/issues/5116',
      'https://github.com/fatwang2/search2ai/issues/30',
      'https://github.com/anomalyco/opencode/issues/1211',
    ],
  },
  {
    id: 'oc-missing-tcid',
    rule: 'A tool message must have tool_call_id.',
    words: "`Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.`",
    evidence: 'S',
    sources: [],
  },
  {
    id: 'oc-empty-toolcalls',
    rule: '`tool_calls: []` is not allowed; omit the key.',
    words:
      "`Invalid 'messages[{N}].tool_calls': empty array. Expected an array with minimum length 1, but got an empty array instead.`",
    evidence: 'S',
    sources: [
      'https://github.com/openai/openai-python/issues/2061',
      'https://github.com/home-assistant/core/pull/118577',
    ],
  },
  {
    id: 'oc-empty-messages',
    rule: 'messages must not be empty.',
    words:
      "`Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.`",
    evidence: 'S',
    sources: ['https://github.com/CopilotKit/CopilotKit/issues/529'],
  },
  {
    id: 'oc-id-too-long',
    rule: 'Tool-call ids have max length 40 (direct API and Azure; 64 was reported through OpenRouter later).',
    words:
      "`Invalid 'messages[{N}].tool_calls[{K}].id': string too long. Expected a string with maximum length 40, but got a string with length {L} instead.`",
    evidence: 'S',
    sources: [
      'https://github.com/camel-ai/camel/issues/2215',
      'https://github.com/Portkey-AI/gateway/issues/1062',
      'https://github.com/openclaw/openclaw/pull/875',
    ],
  },
  {
    id: 'oc-empty-name',
    rule: 'function.name of a call must be non-empty.',
    words:
      "`Invalid 'messages[{N}].tool_calls[{K}].function.name': empty string. Expected a string with minimum length 1, but got an empty string instead.`",
    evidence: 'S',
    sources: ['https://github.com/continuedev/continue/issues/11645'],
  },
  {
    id: 'oc-null-content',
    rule: 'content null is only allowed on an assistant that has tool_calls.',
    words: "`Invalid value for 'content': expected a string, got null.`",
    evidence: 'S',
    sources: [
      'https://github.com/langchain-ai/langchainjs/issues/4153',
      'https://github.com/docker/docker-agent/issues/63',
    ],
  },
  {
    id: 'oc-content-type',
    rule: 'The content of a tool message is a string or a list of blocks with a type.',
    words:
      "`Invalid type for 'messages[{N}].content': expected one of a string or array of objects, but got an object instead.`; for a list of other objects `Missing required parameter: 'messages[{N}].content[{K}].type'.`",
    evidence: 'S',
    sources: [
      'https://github.com/pydantic/pydantic-ai/issues/2653',
      'https://github.com/langchain-ai/langchainjs/pull/11092',
    ],
  },
  {
    id: 'oc-azure-required-content',
    rule: 'Old Azure api-versions: assistant must have the `content` key.',
    words: "`'content' is a required property - 'messages.{N}'`",
    evidence: 'S',
    sources: ['https://github.com/openinterpreter/openinterpreter/issues/115'],
  },
]
