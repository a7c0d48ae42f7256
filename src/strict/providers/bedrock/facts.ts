import type { ProviderFact } from '../../facts/fact.ts'

export const facts: readonly ProviderFact[] = [
  {
    id: 'br-missing-result',
    rule: 'Every toolUseId of an assistant turn must be answered by toolResult blocks in the next message – all in ONE message.',
    words:
      '`Expected toolResult blocks at messages.{N}.content for the following Ids: {id}, {id}, …` (N = the message that should hold the results)',
    evidence: 'S',
    sources: ['https://github.com/agno-agi/agno/issues/6698'],
  },
  {
    id: 'br-too-many-results',
    rule: 'Orphans / surplus results.',
    words:
      '`The number of toolResult blocks at messages.{N}.content exceeds the number of toolUse blocks of previous turn.`',
    evidence: 'S',
    sources: [
      'https://github.com/Just-Curieous/Curie/issues/16',
      'https://github.com/pydantic/pydantic-ai/issues/2327',
    ],
  },
  {
    id: 'br-dup-use',
    rule: 'Duplicate toolUseId in one message.',
    words: '`The toolUse blocks at messages.{N}.content contain duplicate Ids: {id}`',
    evidence: 'S',
    sources: ['https://github.com/bvcyber/Cyber-AutoAgent-ng/issues/72'],
  },
  {
    id: 'br-dup-result',
    rule: 'Duplicate toolResult ids.',
    words: '`The toolResult blocks at messages.{N}.content contain duplicate Ids: {id}`',
    evidence: 'I',
    sources: [],
  },
  {
    id: 'br-start-user',
    rule: 'Must start with user.',
    words:
      '`A conversation must start with a user message. Try again with a conversation that starts with a user message.`',
    evidence: 'S',
    sources: ['https://github.com/pydantic/pydantic-ai/issues/4495', 'https://github.com/langgenius/dify/issues/12340'],
  },
  {
    id: 'br-alternate',
    rule: 'Strict alternation.',
    words:
      '`A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.`',
    evidence: 'S',
    sources: ['https://github.com/aws-samples/bedrock-access-gateway/issues/25'],
  },
  {
    id: 'br-end-user',
    rule: 'Some models: must end with user. Claude from 4.6 on, and Llama.',
    words:
      'Claude: `The model returned the following errors: This model does not support assistant message prefill. The conversation must end with a user message.` ; Llama: `The model that you are using requires the last turn in the conversation to be a user message. Add a user message to the conversation and try again.`',
    evidence: 'S',
    sources: [
      'https://github.com/anomalyco/opencode/issues/29760',
      'https://github.com/NousResearch/hermes-agent/pull/101401',
      'https://github.com/i-am-bee/beeai-framework/issues/753',
    ],
  },
  {
    id: 'br-toolconfig',
    rule: 'toolConfig must be present if history has tool blocks.',
    words: '`The toolConfig field must be defined when using toolUse and toolResult content blocks.`',
    evidence: 'S',
    sources: ['https://github.com/langgenius/dify/issues/17545', 'https://github.com/vxcontrol/pentagi/pull/196'],
  },
  {
    id: 'br-mixed-result',
    rule: 'Llama/Mistral models: text and toolResult may not share a turn.',
    words: '`messages.{N}.content: Conversation blocks and tool result blocks cannot be provided in the same turn.`',
    evidence: 'S',
    sources: [
      'https://github.com/strands-agents/harness-sdk/issues/1223',
      'https://github.com/langchain-ai/langchain-aws/issues/141',
    ],
  },
  {
    id: 'br-mixed-use',
    rule: 'Llama on Bedrock: text and toolUse may not share an assistant turn. For Mistral it is known from third-party code only.',
    words: '`messages.{N}.content: Conversation blocks and tool use blocks cannot be provided in the same turn.`',
    evidence: 'S',
    sources: ['https://github.com/quarkiverse/quarkus-langchain4j/issues/1983'],
  },
  {
    id: 'br-empty-content',
    rule: 'Message.content must not be empty.',
    words:
      '`The content field in the Message object at messages.{N} is empty. Add a ContentBlock object to the content field and try again.`',
    evidence: 'S',
    sources: ['https://github.com/aws/aws-sdk-net/pull/4015'],
  },
  {
    id: 'br-blank-text',
    rule: 'Text must not be blank.',
    words:
      '`The text field in the ContentBlock object at messages.{N}.content.{K} is blank. Add text to the text field, and try again.`',
    evidence: 'S',
    sources: ['https://github.com/aws/aws-sdk-net/pull/4015'],
  },
  {
    id: 'br-ws-text',
    rule: 'Claude on Converse: text is not blank, and in a result not empty.',
    words:
      '`messages: text content blocks must contain non-whitespace text` (as printed there after `ValidationException: `; other model faults carry the prefix `The model returned the following errors: `) ; in a result also `messages: text content blocks must be non-empty`',
    evidence: 'S',
    sources: [
      'https://github.com/NousResearch/hermes-agent/pull/41985',
      'https://github.com/NousResearch/hermes-agent/issues/55092',
    ],
  },
  {
    id: 'br-trailing-ws',
    rule: 'Claude on Converse.',
    words:
      '`The model returned the following errors: messages: final assistant content cannot end with trailing whitespace`',
    evidence: 'S',
    sources: ['https://github.com/aws/aws-sdk-net/pull/4015'],
  },
  {
    id: 'br-error-empty',
    rule: 'toolResult with status error needs content.',
    words: '`The content field at messages.{N}.content.{K}.toolResult cannot be empty when status value is error.`',
    evidence: 'S',
    sources: ['https://github.com/aws-samples/sample-multi-agent-orchestration-chat-on-agentcore/issues/15'],
  },
  {
    id: 'br-reasoning',
    rule: 'DeepSeek R1 does not accept reasoning in the history. Other models than Claude (gpt-oss, GPT-5.6, GPT-6) accept it without a signature (the last source).',
    words: '`User messages cannot contain reasoning content. Please remove the reasoning content and try again.`',
    evidence: 'S',
    sources: [
      'https://github.com/langchain-ai/langchain-aws/issues/401',
      'https://github.com/aws-samples/bedrock-chat/issues/845',
      'https://github.com/567-labs/instructor/issues/2682',
    ],
  },
  {
    id: 'br-think',
    rule: 'Claude thinking rules apply, wrapped.',
    words: '`The model returned the following errors: messages.1.content.0.type: Expected `thinking` or …`',
    evidence: 'S',
    sources: ['https://github.com/anomalyco/opencode/issues/3077'],
  },
  {
    id: 'br-role',
    rule: 'The roles are user and assistant, and system for Claude from Opus 4.8 on (the second source, and ConversationRole of @aws-sdk/client-bedrock-runtime 3.1162.0).',
    words:
      "`1 validation error detected: Value '{role}' at 'messages.{N}.member.role' failed to satisfy constraint: Member must satisfy enum value set: [user, assistant]` (N counts from 1; several errors are told at once)",
    evidence: 'S',
    sources: [
      'https://github.com/continuedev/continue/issues/1938',
      'https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-mid-conversation-system.html',
    ],
  },
  {
    id: 'br-name',
    rule: 'toolUse.name has 1 to 64 letters, digits, underscores and dashes.',
    words:
      "`1 validation error detected: Value at 'messages.{N}.member.content.{K}.member.toolUse.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+` ; too long: `Member must have length less than or equal to 64`",
    evidence: 'S',
    sources: [
      'https://github.com/openclaw/openclaw/issues/12892',
      'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html',
    ],
  },
  {
    id: 'br-id-form',
    rule: 'toolUseId has 1 to 64 letters, digits, underscores, dashes, dots and colons, in calls and in results. An older page has no dots and colons.',
    words: 'as br-name with the pattern `[a-zA-Z0-9_.:-]+`, by the form of the schema',
    evidence: 'D',
    sources: [
      'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolUseBlock.html',
      'https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolResultBlock.html',
      'https://github.com/vercel/ai/pull/13326',
    ],
  },
  {
    id: 'br-json',
    rule: 'toolUse.input and the json of a result are objects.',
    words: '`The format of the value at {path} is invalid. Provide a json object for the field and try again.`',
    evidence: 'S',
    sources: [
      'https://github.com/aws/aws-sdk-js-v3/issues/7330',
      'https://github.com/deepset-ai/haystack-core-integrations/pull/3766',
      'https://github.com/vercel/ai/pull/19023',
    ],
  },
]
