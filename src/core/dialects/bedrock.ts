import { type Dialect, type Facts, lenientFacts } from '../dialect.ts'

const unanswered = 'Expected toolResult blocks at messages.{n+1}.content for the following Ids: {id}'

const surplus =
  'The number of toolResult blocks at messages.{n}.content exceeds the number of toolUse blocks of previous turn.'

const unalternating =
  'A conversation must alternate between user and assistant roles. Make sure the conversation alternates between user and assistant roles and try again.'

const mixed = 'messages.{n}.content: Conversation blocks and tool result blocks cannot be provided in the same turn.'

const image = 'messages.{n}.content.{k}.image.source.bytes'

/** Error messages of the model itself are wrapped. */
const wrapped = (words: string): string => `The model returned the following errors: ${words}`

/** Results are a turn of their own, and the assistant speaks before the next user message. */
const resultsAlone: Partial<Facts> = {
  textBesideResults: 'refuse',
  textAfterResults: 'accept',
  userAfterResult: 'refuse',
}

/** Facts that only Claude models require. */
const notClaude: Partial<Facts> = {
  trailingSpace: 'accept',
  unsignedThinking: 'accept',
  thinkingAfterCall: 'accept',
  trailingThinking: 'accept',
  thinkingSetting: 'free',
  imageSideOfMany: undefined,
  assistantImages: undefined,
}

const llama: Partial<Facts> = { ...notClaude, ...resultsAlone, lastAssistant: 'refuse', textBesideCalls: 'refuse' }

export const bedrock: Dialect = {
  id: 'bedrock',
  title: 'Amazon Bedrock Converse',
  codec: 'bedrock',
  facts: {
    ...lenientFacts,
    ids: { invalid: /[^a-zA-Z0-9_-]/, lengthMax: 64 },
    names: { pattern: /^[a-zA-Z0-9_-]+$/, lengthMax: 64 },
    malformedInput: 'refuse',
    malformedResult: 'refuse',
    textAfterResults: 'refuse',
    emptyMessage: 'refuse-blank',
    emptyLast: 'refuse',
    blankText: 'refuse-blank',
    emptyResult: 'refuse-blank',
    trailingSpace: 'refuse',
    consecutiveUsers: 'refuse',
    consecutiveAssistants: 'refuse',
    firstAssistant: 'refuse',
    noUser: 'refuse-system-only',
    unsignedThinking: 'refuse',
    thinkingAfterCall: 'refuse',
    trailingThinking: 'refuse',
    thinkingSetting: 'strict',
    undeclaredTools: 'refuse',
    documentsMax: 5,
    repeatedDocumentNames: 'refuse',
    imageSide: 8000,
    imageSideOfMany: { images: 20, side: 2000 },
    imageBase64: 5 * 1024 * 1024,
    assistantImages: 'refuse',
    documentsAlone: 'refuse',
    cachePoints: 4,
    toolNames: { pattern: /^[a-zA-Z0-9_-]+$/, lengthMax: 64 },
  },
  doubtful: { thinkingAfterCall: 'refuse-answered' },
  models: [
    {
      match: /claude-(opus-(4[-.][89]|[5-9])|(sonnet|haiku)-[5-9]|fable|mythos-\d)/,
      facts: { lastAssistant: 'refuse', systemRole: 'after-user', thinkingSetting: 'strict-if-set' },
    },
    {
      match: /claude-(opus|sonnet|haiku)-4[-.][6-9]/,
      facts: { lastAssistant: 'refuse', thinkingSetting: 'strict-if-set' },
    },
    { match: /\bmeta\.llama3-2/, facts: { ...llama, imagesMax: 1 } },
    { match: /\bmeta\.llama4/, facts: { ...llama, imagesMax: 8 } },
    { match: /\bmeta\.llama/, facts: llama },
    { match: /\bmistral\./, facts: { ...notClaude, ...resultsAlone } },
    { match: /\bdeepseek\.r1/, facts: { ...notClaude, unsignedThinking: 'refuse-all' } },
    // Models with the name of another vendor: `openai.gpt-oss-120b-1:0`, `us.amazon.nova-pro-v1:0`.
    { match: /^(?!.*(anthropic|claude)).*[\w-]\.[\w-]/, facts: notClaude },
  ],
  refusals: {
    'unanswered-call': unanswered,
    'interleaved-message': unanswered,
    'misplaced-result': unanswered,
    'split-results': unanswered,
    'orphan-result': surplus,
    'early-result': surplus,
    'duplicate-result': surplus,
    'duplicate-call-id': 'The toolUse blocks at messages.{n}.content contain duplicate Ids: {id}',
    'malformed-name':
      "1 validation error detected: Value at 'messages.{n+1}.member.content.{k+1}.member.toolUse.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
    'malformed-arguments':
      'The format of the value at messages.{n}.content.{k}.toolUse.input is invalid. Provide a json object for the field and try again.',
    'malformed-result':
      'The format of the value at messages.{n}.content.{k}.toolResult.content.0.json is invalid. Provide a json object for the field and try again.',
    'split-step': unalternating,
    'broken-alternation': unalternating,
    'text-beside-results': mixed,
    'text-beside-calls':
      'messages.{n}.content: Conversation blocks and tool use blocks cannot be provided in the same turn.',
    'forbidden-follower': mixed,
    'wrong-first-role':
      'A conversation must start with a user message. Try again with a conversation that starts with a user message.',
    'wrong-last-role': wrapped(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    ),
    'system-role':
      "1 validation error detected: Value '{role}' at 'messages.{n+1}.member.role' failed to satisfy constraint: Member must satisfy enum value set: [user, assistant]",
    'empty-message':
      'The content field in the Message object at messages.{n} is empty. Add a ContentBlock object to the content field and try again.',
    'blank-text':
      'The text field in the ContentBlock object at messages.{n}.content.{k} is blank. Add text to the text field, and try again.',
    'empty-result': 'messages: text content blocks must be non-empty',
    'trailing-space': wrapped('messages: final assistant content cannot end with trailing whitespace'),
    'unsigned-thinking': wrapped('messages.{n}.content.{k}.thinking.signature: Field required'),
    'trailing-thinking': wrapped('messages.{n}: The final block in an assistant message cannot be `thinking`.'),
    'misplaced-thinking': wrapped(
      'messages.{n}: `tool_use` ids were found without `tool_result` blocks immediately after. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    ),
    'missing-thinking': wrapped(
      'messages.{n}.content.0.type: Expected `thinking` or `redacted_thinking`, but found something else. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`.',
    ),
    'stray-thinking': wrapped(
      'messages.{n}.content.{k}: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.',
    ),
    'oversized-among-many': wrapped(
      `${image}: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels`,
    ),
    'heavy-image': wrapped(`${image}: image exceeds 5 MB maximum`),
    'too-many-media': "You can't include more than 5 documents in a request.",
    'document-without-text': 'A text block must be included when using documents.',
    'misplaced-image': wrapped("messages.{n}.content: 'image' blocks are not permitted within assistant turns."),
    'misplaced-cache-mark':
      'Cache point cannot be inserted after reasoning block. Please remove the invalid cache point and try again.',
    'too-many-cache-marks': 'A maximum of 4 blocks with cache_control may be provided.',
    'malformed-tool-name':
      "1 validation error detected: Value at 'toolConfig.tools.1.member.toolSpec.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
    'repeated-document-name': "Messages can't contain duplicate document names.",
    'undeclared-tools': 'The toolConfig field must be defined when using toolUse and toolResult content blocks.',
  },
}
