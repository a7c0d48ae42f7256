import type { HistoryReading, RejectionEntry } from '../rejection.ts'

/**
 * Rejections of a history, each with the id of the fact it is known by: the rules repair the history for that provider. The first match counts, so patterns that
 * contain others come first. Where each was seen is recorded with its fact, which the strict provider lists.
 */
const groups: readonly (HistoryReading & { readonly facts: Readonly<Record<string, RegExp>> })[] = [
  {
    reader: 'deepseek',
    facts: {
      'ds-missing': /insufficient tool messages following tool_calls/,
      'ds-responses-adjacent': /No tool output found for tool call/,
      'ds-anthropic-system': /messages\[\d+\]\.role: unknown variant system/,
    },
  },
  {
    reader: 'deepseek',
    orphan: true,
    facts: {
      'ds-orphan': /\bMessages with role tool must be a response to a prece/,
      'ds-responses-orphan': /No tool call found for tool output with call_id/,
    },
  },
  {
    reader: 'deepseek',
    model: 'deepseek-r1',
    facts: { 'ds-successive': /does not support successive user or assistant messages/ },
  },
  {
    reader: 'qwen',
    facts: {
      'qw-missing': /InvalidParameter: An assistant message with tool_calls must be/,
      'qw-no-user': /do not contain elements with the role of user/,
      'qw-args': /function\.arguments parameter of the code model must be in JSON/,
      'qw-empty-toolcalls': /Empty tool_calls is not supported in message/,
    },
  },
  { reader: 'qwen', orphan: true, facts: { 'qw-orphan': /InvalidParameter: messages with role tool must be a/ } },
  { reader: 'cohere', facts: { 'co-missing': /invalid request: An assistant message with tool_calls must be/ } },
  {
    reader: 'moonshot',
    facts: {
      'km-missing': /\ban assistant message with tool_calls must be followed by tool/,
    },
  },
  {
    facts: {
      'oc-missing-result': /An assistant message with tool_calls must be followed by tool messages/,
      'oc-dup-result': /Duplicate value for tool_call_id of/,
      'oc-missing-tcid': /Missing parameter tool_call_id: messages with role tool must/,
      'oc-empty-toolcalls': /\.tool_calls: empty array/,
      'oc-empty-name': /\.tool_calls\[\d+\]\.function\.name: empty string/,
      'oc-null-content': /Invalid value for content: expected a string, got null/,
      'oc-azure-required-content':
        /content is a required property - messages\.\d+|messages?\[\d+\]\.content is required/,
    },
  },
  {
    orphan: true,
    facts: {
      'oc-orphan': /messages with role tool must be a response to a prece+ding message/,
      'oc-unknown-id': /tool_call_id of \S+ not found in tool_calls of previous message/,
      'tp-gptoss-orphan': /Message has tool role, but there was no previous assistant message/,
    },
  },
  {
    reader: 'openai-responses',
    facts: {
      'or-missing-output-fn': /No tool output found for function call/,
      'or-missing-output-custom': /No tool output found for custom tool call/,
      'or-missing-output-shell': /No tool output found for (local )?shell call/,
      'or-missing-output-computer': /No tool output found for computer call/,
      'or-missing-output-patch': /No tool output found for apply patch call/,
      'or-missing-output-search': /No tool output found for tool search call/,
      'or-dup-item': /Duplicate item found with id/,
      'or-dup-output': /Duplicate function_call_output for call_id/,
      'or-id-prefix': /Invalid input\[\d+\]\.id: .{0,400}Expected an ID that begins/,
      'or-id-charset': /Invalid input\[\d+\]\.id: .{0,400}Expected an ID that contains/,
    },
  },
  {
    reader: 'openai-responses',
    orphan: true,
    facts: {
      'or-orphan-fn': /No tool call found for function call output/,
      'or-orphan-custom': /No tool call found for custom tool call output/,
    },
  },
  {
    reader: 'openai-responses',
    facts: {
      'or-reasoning-no-follow': /of type reasoning was provided without its required following item/,
      'or-msg-no-reasoning': /of type message was provided without its required reasoning item/,
      'or-fc-no-reasoning': /was provided without its required reasoning item/,
    },
  },
  {
    reader: 'anthropic',
    facts: {
      'an-missing-result': /tool_use ids were found without tool_result blocks immediately after/,
      'an-legacy-text': /tool_result block\(s\) at the beginning of this message/,
      'an-dup-use': /tool_use ids must be unique/,
      'an-dup-result': /each tool_use must have a single result/,
      'an-srv-id-pattern': /server_tool_use\.id: String should match pattern/,
      'an-id-pattern': /tool_use(\.id|_id): String should match pattern/,
      'an-srv-missing': /tool use with id \S+ was found without a corresponding/,
      'an-use-in-user': /tool_use blocks can only be in assistant messages/,
      'an-result-in-assistant': /tool_result blocks can only be in user messages/,
      'an-input': /tool_use\.input: Input should be a valid dictionary/,
      'an-tools-undefined': /tool_use or tool_result blocks must define tools/,
      'an-first-user': /first message must use the user role/,
      'an-error-empty': /tool_result: content cannot be empty if is_error is true/,
      'an-empty-content': /all messages must have non-empty content except for/,
      'an-system-first': /use the top-level system parameter for the initial system prompt/,
    },
  },
  {
    reader: 'anthropic',
    orphan: true,
    facts: {
      'an-orphan': /unexpected tool_use_id found in tool_result blocks/,
      'an-srv-orphan': /unexpected tool_use_id found in \w+_tool_result blocks/,
    },
  },
  {
    reader: 'gemini',
    facts: {
      'ge-call-position': /function call turn comes immediately after a user turn/,
      'ge-count': /number of function response parts is equal to the number of function call/,
      'ge-alternate': /multiturn requests alternate between user and model/,
      'ge-end': /multiturn requests ends with a user role/,
      'ge-empty-parts': /contents\.parts must not be empty/,
      'ge-empty-parts-vertex': /must include at least one parts field/,
      'ge-role': /Please use a valid role: user, model/,
      'ge-system-role': /Content with system role is not supported/,
      'ge-fc-name': /function_call\.name: Name cannot be empty/,
      'ge-fr-name': /function_response\.name: Name cannot be empty/,
    },
  },
  {
    reader: 'gemini',
    orphan: true,
    facts: { 'ge-response-position': /function response turn comes immediately after a function call turn/ },
  },
  {
    reader: 'gemini-interactions',
    facts: {
      'gi-call-id': /Missing call_id in content of type function_result/,
      'gi-name': /Missing name in content of type function_result/,
      'gi-result': /result must be a Struct, FunctionResultSubcontent\[\], or string/,
    },
  },
  {
    reader: 'bedrock',
    facts: {
      'br-missing-result': /Expected toolResult blocks at messages/,
      'br-dup-use': /toolUse blocks at messages\S+ contain duplicate Ids/,
      'br-start-user': /conversation must start with a user message\. Try again/,
      'br-alternate': /conversation must alternate between user and assistant roles/,
      'an-alternate-legacy': /roles must alternate between user and assistant, but found/,
      'br-toolconfig': /toolConfig field must be defined when using toolUse/,
      'br-empty-content': /content field in the Message object at \S+ is empty/,
      'br-error-empty': /cannot be empty when status value is error/,
      'br-json': /Provide a json object for the field and try again/,
    },
  },
  {
    reader: 'bedrock',
    orphan: true,
    facts: { 'br-too-many-results': /number of toolResult blocks at \S+ exceeds the number of toolUse/ },
  },
  {
    reader: 'bedrock',
    model: 'meta.llama3-3-70b-instruct-v1:0',
    facts: { 'br-mixed-result': /Conversation blocks and tool result blocks cannot be provided in the same/ },
  },
  {
    reader: 'mistral',
    facts: {
      'mi-single': /Conversation must start with a user message or system message/,
      'mi-last': /Expected last role User or Tool/,
      'mi-order': /Unexpected role \w+ after role \w+/,
      'mi-count': /Not the same number of function calls and responses/,
      'mi-v13-dup-result': /Duplicate tool call id \S* ?in tool results/,
      'mi-v13-dup-call': /Duplicate tool call id \S* ?in assistant message/,
      'mi-id': /Tool call id was \S* ?but must be/,
      'mi-id-missing': /Tool call id has to be defined/,
      'mi-name': /Function name was .{0,400}but must be a-z/,
      'mi-none': /must have either content or tool_calls, but not none/,
    },
  },
  { reader: 'mistral', orphan: true, facts: { 'mi-v13-unexpected': /Unexpected tool call id \S* ?in tool results/ } },
  {
    reader: 'minimax',
    facts: {
      'mm-not-follow': /tool call result does not follow tool call/,
      'mm-mismatch': /tool call and result not match/,
      'mm-dup': /invalid params, duplicate tool_call id/,
      'mm-id-invalid': /invalid params, tool call id is invalid/,
      'mm-args': /invalid params, invalid function arguments json string/,
      'mm-empty': /invalid params, chat content is empty/,
    },
  },
  { reader: 'minimax', orphan: true, facts: { 'mm-orphan': /tool results tool id\(\S*\) not found/ } },
  { reader: 'moonshot', orphan: true, facts: { 'km-orphan': /tool_call_id \S* ?is not found/ } },
  {
    reader: 'glm',
    facts: {
      'gl-1214': /code:\s*1214|messages parameter is illegal|messages 参数非法/,
      'gl-anthropic-system': /Input should be user or assistant/,
    },
  },
  { reader: 'xai', facts: { 'xa-content': /Each message must have at least one content element/ } },
  {
    reader: 'qwen-template',
    facts: {
      'tp-system-first': /System message must be at the beginning/,
      'tp-no-user': /No user query found in messages/,
      'tp-role': /Unexpected message role\./,
    },
  },
  {
    reader: 'mistral-template',
    facts: {
      'tp-alt-mistral-new': /must alternate user and assistant roles except for tool calls and results/,
      'tp-alt-mistral-old': /After the optional system message, conversation roles must alternate/,
      'tp-id9': /Tool call IDs should be alphanumeric strings with length 9/,
      'tp-roles-only': /Only user and assistant roles are supported/,
    },
  },
  {
    reader: 'gemma-template',
    facts: {
      'tp-alt-gemma': /Conversation roles must alternate user\/assistant/,
      'px-alternate': /user and assistant roles should be alternating/,
    },
  },
  { reader: 'llama-template', facts: { 'tp-single-call': /only supports single tool-calls at once/ } },
]

export const historyRejections: readonly RejectionEntry[] = groups.flatMap(({ facts, ...history }) =>
  Object.entries(facts).map(([id, words]) => ({
    ...{ id, kind: 'history' as const, words, history, provider: history.reader ?? 'any', status: 400 },
  })),
)
