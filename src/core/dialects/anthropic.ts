import { type Dialect, lenientFacts } from '../dialect.ts'

const unanswered =
  'messages.{n}: `tool_use` ids were found without `tool_result` blocks immediately after: {id}. Each `tool_use` block must have a corresponding `tool_result` block in the next message.'

const refused =
  'messages.{n}: `tool_use` ids were found without `tool_result` blocks immediately after. Each `tool_use` block must have a corresponding `tool_result` block in the next message.'

const orphaned =
  'messages.{n}.content.{k}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.'

const illegal = "messages.{n}.content.{k}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'"

const image = 'messages.{n}.content.{k}.image.source.base64'

export const anthropic: Dialect = {
  id: 'anthropic',
  title: 'Anthropic Messages',
  codec: 'anthropic',
  facts: {
    ...lenientFacts,
    ids: { invalid: /[^a-zA-Z0-9_-]/, lengthMax: Number.MAX_SAFE_INTEGER },
    uniqueIds: 'history',
    serverIds: { invalid: /^(?!srvtoolu_[a-zA-Z0-9_]+$)/, lengthMax: Number.MAX_SAFE_INTEGER },
    malformedInput: 'refuse',
    malformedResult: 'refuse',
    textAfterCall: 'refuse',
    splitResults: 'accept',
    emptyMessage: 'refuse-blank',
    blankText: 'refuse-blank',
    emptyResult: 'refuse-failed',
    trailingSpace: 'refuse',
    firstAssistant: 'refuse',
    noUser: 'refuse-system-only',
    unsignedThinking: 'refuse',
    thinkingAfterCall: 'refuse',
    trailingThinking: 'refuse',
    thinkingSetting: 'strict',
    undeclaredTools: 'refuse',
    mediaMax: 600,
    imageSide: 8000,
    imageSideOfMany: { images: 20, side: 2000 },
    imageBase64: 10 * 1024 * 1024,
    imageTypes: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
    mislabelledImages: 'refuse',
    unreadableImages: 'refuse',
    assistantImages: 'refuse',
    cacheMarks: 4,
    loneSurrogates: 'refuse',
    foreignBlockFields: ['index'],
    toolNames: { pattern: /^[a-zA-Z0-9_-]+$/, lengthMax: 128 },
    repeatedTools: 'refuse',
    toolReferences: 'declared',
  },
  doubtful: { textAfterCall: 'refuse-answered', thinkingAfterCall: 'refuse-answered', splitResults: 'refuse' },
  models: [
    {
      match: /claude-(opus-(4[-.][89]|[5-9])|(sonnet|haiku)-[5-9]|fable|mythos-\d)/,
      facts: { lastAssistant: 'refuse', systemRole: 'after-user', thinkingSetting: 'strict-if-set' },
    },
    {
      match: /claude-(opus|sonnet|haiku)-4[-.][6-9]/,
      facts: { lastAssistant: 'refuse', thinkingSetting: 'strict-if-set' },
    },
    // Models with a window of 200,000 tokens.
    { match: /claude-(3|haiku-4|opus-4(?![-.][2-46-9](?!\d)))/, facts: { mediaMax: 100 } },
  ],
  refusals: {
    'malformed-tool-name': "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    'misplaced-image': "messages.{n}.content: 'image' blocks are not permitted within assistant turns.",
    'unanswered-call': unanswered,
    'interleaved-message': unanswered,
    'misplaced-result': unanswered,
    'split-step': refused,
    'split-results': refused,
    'text-after-call': refused,
    'misplaced-thinking': refused,
    'orphan-result': orphaned,
    'early-result': orphaned,
    'duplicate-result':
      'messages.{n}.content.{k}: each tool_use must have a single result. Found multiple `tool_result` blocks with id: {id}',
    'duplicate-call-id': 'messages.{n}.content.{k}: `tool_use` ids must be unique',
    'malformed-id': illegal,
    'empty-id': illegal,
    'foreign-provider-call':
      "messages.{n}.content.{k}.server_tool_use.id: String should match pattern '^srvtoolu_[a-zA-Z0-9_]+$'",
    'unpaired-provider-call':
      'messages.{n}: tool use with id `{id}` was found without a corresponding tool result block',
    'wrong-side': 'messages.{n}: `tool_result` blocks can only be in `user` messages',
    'wrong-first-role': 'messages: first message must use the "user" role',
    'wrong-last-role':
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    'empty-message':
      'messages.{n}: all messages must have non-empty content except for the optional final assistant message',
    'empty-result': 'messages.{n}.content.{k}.tool_result: content cannot be empty if `is_error` is true',
    'blank-text': 'messages: text content blocks must contain non-whitespace text',
    'trailing-space': 'messages: final assistant content cannot end with trailing whitespace',
    'system-role': "role 'system' is not supported on this model",
    'unsigned-thinking': 'messages.{n}.content.{k}.thinking.signature: Field required',
    'trailing-thinking': 'messages.{n}: The final block in an assistant message cannot be `thinking`.',
    'missing-thinking':
      'messages.{n}.content.0.type: Expected `thinking` or `redacted_thinking`, but found something else. When `thinking` is enabled, a final `assistant` message must start with a thinking block (preceeding the lastmost set of `tool_use` and `tool_result` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable `thinking`.',
    'stray-thinking':
      'messages.{n}.content.{k}: When thinking is disabled, an `assistant` message in the final position cannot contain `thinking`. To use thinking blocks, enable `thinking` in your request.',
    'undeclared-tools': 'Requests which include `tool_use` or `tool_result` blocks must define tools.',
    'oversized-image': `${image}.data: At least one of the image dimensions exceed max allowed size: 8000 pixels`,
    'oversized-among-many': `${image}.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels`,
    'heavy-image': `${image}: image exceeds 10 MB maximum`,
    'too-many-media': 'too many images and documents',
    'mislabelled-image': `${image}.data: Image does not match the provided media type`,
    'unsupported-image': `${image}.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`,
    'unreadable-image': 'Could not process image',
    'misplaced-cache-mark': 'messages.{n}.content.{k}.thinking.cache_control: Extra inputs are not permitted',
    'too-many-cache-marks': 'A maximum of 4 blocks with cache_control may be provided.',
    'unknown-tool-reference': 'Tool reference not found in available tools',
    'repeated-tool': 'tools: Tool names must be unique.',
    'foreign-message-field': 'messages.{n}.content.{k}.tool_use.index: Extra inputs are not permitted',
    'broken-character': 'The request body is not valid JSON: no low surrogate in string',
    'malformed-arguments': 'messages.{n}.content.{k}.tool_use.input: Input should be a valid dictionary',
  },
}
