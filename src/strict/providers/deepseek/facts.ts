import type { ProviderFact } from '../../facts/fact.ts'

export const facts: readonly ProviderFact[] = [
  {
    id: 'ds-missing',
    rule: 'results missing.',
    words:
      "`An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)`",
    evidence: 'S',
    sources: [
      'https://github.com/smallmain/vscode-unify-chat-provider/issues/248',
      'https://github.com/agno-agi/agno/issues/3105',
    ],
  },
  {
    id: 'ds-orphan',
    rule: 'orphan.',
    words:
      "`Messages with role 'tool' must be a response to a preceding message with 'tool_calls'` (capital M, no \"Invalid parameter:\", no final dot)",
    evidence: 'S',
    sources: [
      'https://github.com/FoundationAgents/OpenManus/issues/744',
      'https://github.com/qwersyk/Newelle/issues/425',
    ],
  },
  {
    id: 'ds-reasoning-back',
    rule: 'V4 thinking mode (default on): reasoning_content of assistant messages must be returned (with tools: on every assistant message).',
    words: '``The `reasoning_content` in the thinking mode must be passed back to the API.``',
    evidence: 'S',
    sources: [
      'https://github.com/zed-industries/zed/issues/55321',
      'https://github.com/NousResearch/hermes-agent/pull/15228',
    ],
  },
  {
    id: 'ds-successive',
    rule: 'deepseek-reasoner (R1 era) only: no successive same roles.',
    words:
      '`deepseek-reasoner does not support successive user or assistant messages (messages[{i}] and messages[{i+1}] in your input). You should interleave the user/assistant messages in the message sequence.`',
    evidence: 'S',
    sources: ['https://github.com/open-webui/open-webui/issues/9266'],
  },
  {
    id: 'ds-responses-adjacent',
    rule: 'DeepSeek /v1/responses: any item between function_call and its output fails (OpenAI accepts).',
    words: '`No tool output found for tool call {call_id}`',
    evidence: 'S',
    sources: ['https://github.com/deepseek-ai/awesome-deepseek-integration/issues/740'],
  },
  {
    id: 'ds-responses-orphan',
    rule: 'DeepSeek /v1/responses: a function_call_output needs its function_call.',
    words: '`No tool call found for tool output with call_id {call_id}.`',
    evidence: 'S',
    sources: ['https://github.com/deepseek-ai/DeepSeek-V3/issues/1611'],
  },
  {
    id: 'ds-responses-stateless',
    rule: 'DeepSeek /v1/responses stores nothing: a call that only previous_response_id leads to is not there.',
    words: 'as ds-responses-orphan',
    evidence: 'T',
    sources: ['https://docs.rs/openai-interface/0.12.0/openai_interface/responses/index.html'],
  },
  {
    id: 'ds-anthropic-missing',
    rule: 'DeepSeek Anthropic endpoint: results missing. It speaks as Anthropic does.',
    words:
      '``messages.{N}: `tool_use` ids were found without `tool_result` blocks immediately after: {id}[, {id}]. Each `tool_use` block must have a corresponding `tool_result` block in the next message.``',
    evidence: 'S',
    sources: ['https://github.com/Hmbown/Codewhale/issues/4329'],
  },
  {
    id: 'ds-anthropic-system',
    rule: 'DeepSeek Anthropic endpoint: no system role in messages.',
    words:
      '``Failed to deserialize the JSON body into the target type: messages[{N}].role: unknown variant `system`, expected `user` or `assistant` ``',
    evidence: 'S',
    sources: ['https://github.com/deepseek-ai/awesome-deepseek-integration/issues/639'],
  },
  {
    id: 'ds-empty-tools',
    rule: '`tools: []` is rejected.',
    words: 'text not seen',
    evidence: 'T',
    sources: ['https://github.com/runebookai/tome/pull/87'],
  },
]
