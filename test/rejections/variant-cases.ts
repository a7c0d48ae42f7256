import type { RejectionCase } from './shared-cases.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAABQAAAAMgCAIAAADz+lisAAAADElEQVR4nGNgoAwAAABAAAG3NHzvAAAAAElFTkSuQmCC'
const tall = '/9j/4AAQSkZJRgABAQAAAQABAAD/wAARCCPwBQADASIAAhEBAxEB/9k='
const web = 'PCFkb2N0eXBlIGh0bWw+PGh0bWw+PGJvZHk+NDA0PC9ib2R5PjwvaHRtbD4K'
const log = ['the quick brown fox reads line after line of the log\n', 3000] as const

const openai = (message: string, fields: object = {}) => ({
  error: { message, type: 'invalid_request_error', ...fields },
})
const anthropic = (message: string) => ({ type: 'error', error: { type: 'invalid_request_error', message } })
const google = (message: string) => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } })
const bedrock = (message: string) => ({ message })

/** A finished turn with a call, then a result that holds an image, in each format. */
const withImage: Readonly<Record<string, (data: string, type?: string) => object>> = {
  anthropic: (data, type = 'image/png') => ({
    model: 'claude-opus-4-8',
    max_tokens: 64,
    messages: [
      { role: 'user', content: 'look at the page' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'shot', input: {} }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [
              { type: 'text', text: 'the shot' },
              { type: 'image', source: { type: 'base64', media_type: type, data } },
            ],
          },
        ],
      },
      { role: 'assistant', content: 'A page.' },
      { role: 'user', content: 'and now?' },
    ],
    tools: [{ name: 'shot', input_schema: { type: 'object' } }],
  }),
  'openai-chat': (data, type = 'image/png') => ({
    model: 'gpt-5.2',
    messages: [
      { role: 'user', content: 'look at the page' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'shot', arguments: '{}' } }],
      },
      {
        role: 'tool',
        tool_call_id: 'call_1',
        content: [
          { type: 'text', text: 'the shot' },
          { type: 'image_url', image_url: { url: `data:${type};base64,${data}` } },
        ],
      },
      { role: 'assistant', content: 'A page.' },
      { role: 'user', content: 'and now?' },
    ],
    tools: [{ type: 'function', function: { name: 'shot', parameters: { type: 'object' } } }],
  }),
  'openai-responses': (data, type = 'image/png') => ({
    model: 'gpt-5.2',
    input: [
      { role: 'user', content: 'look at the page' },
      { type: 'function_call', call_id: 'call_1', name: 'shot', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [
          { type: 'input_text', text: 'the shot' },
          { type: 'input_image', image_url: `data:${type};base64,${data}` },
        ],
      },
      { role: 'assistant', content: [{ type: 'output_text', text: 'A page.' }] },
      { role: 'user', content: 'and now?' },
    ],
    tools: [{ type: 'function', name: 'shot', parameters: { type: 'object' } }],
  }),
  gemini: (data, type = 'image/png') => ({
    contents: [
      { role: 'user', parts: [{ text: 'look at the page' }] },
      { role: 'model', parts: [{ functionCall: { name: 'shot', args: {} } }] },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              name: 'shot',
              response: { output: 'the shot' },
              parts: [{ inlineData: { mimeType: type, data } }],
            },
          },
        ],
      },
      { role: 'model', parts: [{ text: 'A page.' }] },
      { role: 'user', parts: [{ text: 'and now?' }] },
    ],
    tools: [{ functionDeclarations: [{ name: 'shot' }] }],
  }),
  bedrock: (data, type = 'image/png') => ({
    modelId: 'us.anthropic.claude-sonnet-5',
    messages: [
      { role: 'user', content: [{ text: 'look at the page' }] },
      { role: 'assistant', content: [{ toolUse: { toolUseId: 'tooluse_1', name: 'shot', input: {} } }] },
      {
        role: 'user',
        content: [
          {
            toolResult: {
              toolUseId: 'tooluse_1',
              content: [{ text: 'the shot' }, { image: { format: type.slice(6), source: { bytes: data } } }],
            },
          },
        ],
      },
      { role: 'assistant', content: [{ text: 'A page.' }] },
      { role: 'user', content: [{ text: 'and now?' }] },
    ],
    toolConfig: { tools: [{ toolSpec: { name: 'shot', inputSchema: { json: { type: 'object' } } } }] },
  }),
}
const shown = ['look at the page', 'the shot', 'A page.', 'and now?']

/** An image in a result, rejected in the words of a provider. */
const inResult = (
  id: string,
  kind: string,
  format: string,
  body: unknown,
  data: string,
  accept: object[],
  status = 400,
  type?: string,
): RejectionCase => ({
  ...{ id, class: kind, provider: 'any', format, refusal: { status, body } },
  request: withImage[format]?.(data, type),
  accept,
  keep: shown,
})

const chatCall = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } })

/** A long chat with a tool, for texts about too many tokens. */
const overflow = (id: string, message: string, more: object = {}, format = 'openai-chat'): RejectionCase => ({
  ...{ id, class: 'context-overflow', provider: 'any', format: 'openai-chat' },
  refusal: { status: 400, body: format === 'bedrock' ? bedrock(message) : openai(message) },
  request: {
    model: 'some-model',
    messages: [
      { role: 'system', content: 'You are terse.' },
      { role: 'user', content: 'read the log' },
      { role: 'assistant', content: null, tool_calls: [chatCall('call_log', 'shell')] },
      { role: 'tool', tool_call_id: 'call_log', content: { $text: [log] } },
      { role: 'assistant', content: 'The log is long.' },
      { role: 'user', content: 'what failed?' },
    ],
    tools: [{ type: 'function', function: { name: 'shell', parameters: { type: 'object' } } }],
    ...more,
  },
  accept: [{ 'max-chars': 115_000 }],
  keep: ['You are terse.', 'read the log', 'call_log', 'The log is long.', 'what failed?'],
})

const developer = (id: string, body: unknown, accept = ['system', 'user'], status = 400, model = 'some-model') => ({
  ...{ id, class: 'role', provider: 'any', format: 'openai-chat', refusal: { status, body } },
  request: {
    model,
    messages: [
      { role: 'developer', content: 'Be terse.' },
      { role: 'user', content: 'hi' },
    ],
  },
  accept: [{ roles: accept }],
  keep: ['Be terse.', 'hi'],
})

const row = (
  id: string,
  kind: string,
  format: string,
  status: number,
  body: unknown,
  request: object,
  accept: object[],
  keep: string[],
): RejectionCase => ({ id, class: kind, provider: 'any', format, refusal: { status, body }, request, accept, keep })

const foreignBlock = (part: object, format = 'anthropic') => ({
  model: format === 'anthropic' ? 'claude-opus-4-8' : 'some-model',
  max_tokens: 64,
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'see this' }, part] },
    { role: 'assistant', content: [{ type: 'text', text: 'seen' }] },
    { role: 'user', content: [{ type: 'text', text: 'and?' }] },
  ],
})

/** Rejections in other words, formats and places than those of the cases from the field. */
export const variantCases: readonly RejectionCase[] = [
  // Images inside results.
  inResult(
    'result-image-side',
    'image-pixels',
    'anthropic',
    anthropic(
      'messages.2.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
    ),
    tall,
    [{ 'max-image-side': 8000 }],
  ),
  inResult(
    'result-image-side-bedrock',
    'image-pixels',
    'bedrock',
    bedrock(
      'The model returned the following errors: messages.2.content.0.tool_result.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
    ),
    tall,
    [{ 'max-image-side': 8000 }],
    400,
    'image/jpeg',
  ),
  inResult('result-image-html', 'image-unreadable', 'anthropic', anthropic('Could not process image'), web, [
    { 'image-readable': true },
  ]),
  inResult(
    'result-image-html-responses',
    'image-unreadable',
    'openai-responses',
    openai('You uploaded an unsupported image. Please make sure your image is valid.'),
    web,
    [{ 'image-readable': true }],
  ),
  inResult('result-image-html-gemini', 'image-unreadable', 'gemini', google('Provided image is not valid.'), web, [
    { 'image-readable': true },
  ]),
  inResult(
    'result-image-html-bedrock',
    'image-unreadable',
    'bedrock',
    bedrock('The model returned the following errors: Could not process image'),
    web,
    [{ 'image-readable': true }],
  ),
  inResult(
    'result-image-variant',
    'image-unsupported',
    'openai-chat',
    openai(
      'Failed to deserialize the JSON body into the target type: messages[2]: unknown variant `image_url`, expected `text` at line 1 column 200',
    ),
    png,
    [{ 'no-part': { kind: 'image' } }],
  ),
  inResult(
    'result-image-block-variant',
    'image-unsupported',
    'anthropic',
    openai(
      'Failed to deserialize the JSON body into the target type: messages[2].content[0].content[1]: unknown variant `image`, expected one of `text`, `thinking`, `tool_use`, `tool_result` at line 1 column 200',
    ),
    png,
    [{ 'no-part': { kind: 'image' } }],
  ),
  inResult(
    'result-image-input-variant',
    'image-unsupported',
    'openai-responses',
    openai('input[2].output[1]: unknown variant `input_image`, expected `input_text`'),
    png,
    [{ 'no-part': { kind: 'image' } }],
  ),
  inResult(
    'result-image-vision-responses',
    'image-unsupported',
    'openai-responses',
    openai('Model some-model does not support image inputs.'),
    png,
    [{ 'no-part': { kind: 'image' } }],
  ),
  inResult(
    'result-image-type-bedrock',
    'image-type',
    'bedrock',
    bedrock(
      'The model returned the following errors: messages.2.content.0.tool_result.content.1.image.source.base64: The image was specified using the image/png media type, but the image appears to be a image/jpeg image',
    ),
    tall,
    [{ 'image-type-true': true }],
  ),
  inResult(
    'result-image-type-gemini',
    'image-type',
    'gemini',
    google('Unsupported MIME type: image/bmp'),
    'Qk1GAAAAAAAAADYAAAAoAAAAQAAAAEAAAAABABgAAAAAABAAAAA=',
    [{ 'no-part': { kind: 'image' } }],
    400,
    'image/bmp',
  ),
  inResult(
    'result-image-vision-model',
    'image-unsupported',
    'anthropic',
    anthropic('messages.2.content.0.tool_result.content.1: This model does not support image input.'),
    png,
    [{ 'no-part': { kind: 'image' } }],
  ),
  inResult(
    'content-must-be-string',
    'image-unsupported',
    'openai-chat',
    openai('messages[2].content must be a string'),
    png,
    [{ 'string-content': true }],
  ),
  inResult(
    'content-string-groq',
    'image-unsupported',
    'openai-chat',
    openai("'messages.2.content' : value must be a string"),
    png,
    [{ 'string-content': true }],
  ),
  inResult(
    'content-string-pydantic',
    'image-unsupported',
    'openai-chat',
    {
      detail: [
        {
          type: 'string_type',
          loc: ['body', 'messages', 2, 'tool', 'content'],
          msg: 'Input should be a valid string',
          input: [],
        },
      ],
    },
    png,
    [{ 'string-content': true }],
    422,
  ),

  // Too long, in other words.
  overflow(
    'request-has',
    "This model's maximum context length is 30000 tokens. However, your request has 40000 input tokens. Please reduce the length of the input messages.",
  ),
  overflow(
    'you-requested',
    "This model's maximum context length is 30000 tokens, but you requested 40000 tokens. Please reduce the length of your prompt.",
  ),
  overflow(
    'groq-relayed',
    'litellm.ContextWindowExceededError: GroqException - Please reduce the length of the messages or completion.',
  ),
  overflow(
    'nova',
    'The model returned the following errors: Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.',
    { model: 'amazon.nova-32k' },
    'bedrock',
  ),
  overflow('ollama-cloud', 'The prompt is too long: 40000, model maximum context length: 30000'),
  overflow('deepinfra', 'Requested input length 40000 exceeds maximum input length 30000'),
  overflow('tgi', 'Input validation error: `inputs` must have less than 30000 tokens. Given: 40000'),
  overflow(
    'cohere',
    'too many tokens: total number of tokens in the prompt cannot exceed 30000 - received 40000. Try using a shorter prompt',
  ),
  overflow('exceeded', 'Context size has been exceeded.', { model: 'x-32k' }),
  overflow('length-exceeded', 'context length exceeded', { model: 'x-32k' }),
  overflow('decoder', 'The decoder prompt (length 40000) is longer than the maximum model length of 30000.'),
  overflow('sglang', "The input (40000 tokens) is longer than the model's context length (30000 tokens)."),
  overflow(
    'sglang-is',
    'Input length (40000 tokens) exceeds the maximum allowed length (30000 tokens). Use a shorter input or enable --allow-auto-truncate.',
  ),
  overflow(
    'vertex',
    'Unable to submit request because the input token count is 40000 but model only supports up to 30000. Reduce the input token count and try again.',
  ),

  // The answer that was asked for, in other words.
  row(
    'tgi-output',
    'output-budget',
    'openai-chat',
    422,
    {
      error:
        'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8192. Given: 5000 `inputs` tokens and 4096 `max_new_tokens`',
      error_type: 'validation',
    },
    { model: 'x', max_tokens: 4096, messages: [{ role: 'user', content: 'hi' }] },
    [{ 'max-number': { path: 'max_tokens', max: 3192 } }],
    ['hi'],
  ),
  row(
    'vllm-output-maximum',
    'output-budget',
    'openai-chat',
    400,
    openai(
      "'max_tokens' or 'max_completion_tokens' is too large: 30000. This model's maximum context length is 32768 tokens and your request has 5000 input tokens (30000 > 32768 - 5000).",
    ),
    { model: 'x', max_completion_tokens: 30_000, messages: [{ role: 'user', content: 'hi' }] },
    [{ 'max-number': { path: 'max_completion_tokens', max: 27_768 } }],
    ['hi'],
  ),
  row(
    'gemini-output-range',
    'output-budget',
    'gemini',
    400,
    google(
      'Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive). Update the value and try again.',
    ),
    { generationConfig: { maxOutputTokens: 100_000 }, contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    [{ 'max-number': { path: 'generationConfig.maxOutputTokens', max: 65_536 } }],
    ['hi'],
  ),
  row(
    'responses-output-cap',
    'output-budget',
    'openai-responses',
    400,
    openai(
      'max_output_tokens is too large: 200000. This model supports at most 128000 completion tokens, whereas you provided 200000.',
    ),
    { model: 'x', max_output_tokens: 200_000, input: [{ role: 'user', content: 'hi' }] },
    [{ 'max-number': { path: 'max_output_tokens', max: 128_000 } }],
    ['hi'],
  ),
  row(
    'dashscope-output-range',
    'output-budget',
    'openai-chat',
    400,
    openai('<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 8192]'),
    { model: 'qwen-max', max_tokens: 32_000, messages: [{ role: 'user', content: 'hi' }] },
    [{ 'max-number': { path: 'max_tokens', max: 8192 } }],
    ['hi'],
  ),

  row(
    'vllm-at-least',
    'output-budget',
    'openai-chat',
    400,
    openai(
      "This model's maximum context length is 32768 tokens. However, you requested 30000 output tokens and your prompt contains at least 5000 input tokens, for a total of at least 35000 tokens. Please reduce the length of the input prompt or the number of requested output tokens.",
    ),
    { model: 'x', max_tokens: 30_000, messages: [{ role: 'user', content: 'hi' }] },
    [{ 'max-number': { path: 'max_tokens', max: 27_768 } }],
    ['hi'],
  ),
  row(
    'output-above-maximum',
    'output-budget',
    'openai-chat',
    400,
    openai("Invalid 'max_tokens': integer above maximum value. Expected a value <= 16384, but got 32000 instead.", {
      param: 'max_tokens',
      code: 'integer_above_max_value',
    }),
    { model: 'x', max_tokens: 32_000, messages: [{ role: 'user', content: 'hi' }] },
    [{ 'max-number': { path: 'max_tokens', max: 16_384 } }],
    ['hi'],
  ),
  row(
    'output-above-maximum-ark',
    'output-budget',
    'anthropic',
    400,
    {
      error: {
        code: 'InvalidParameter',
        message:
          'The parameter max_tokens specified in the request is not valid: integer above maximum value, expected a value <= 32768, but got 64000 instead. Request id: 02',
      },
    },
    { model: 'x', max_tokens: 64_000, messages: [{ role: 'user', content: 'hi' }] },
    [{ 'max-number': { path: 'max_tokens', max: 32_768 } }],
    ['hi'],
  ),

  // Roles, in other words.
  developer(
    'role-serde',
    openai(
      'Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool` at line 1 column 60',
    ),
    undefined,
    422,
  ),
  developer(
    'role-invalid-value',
    openai("Invalid value: 'developer'. Supported values are: 'system', 'assistant', 'user', 'function', and 'tool'.", {
      param: 'messages[0].role',
      code: 'invalid_value',
    }),
  ),
  developer('role-volcengine', {
    error: {
      code: 'InvalidParameter',
      message:
        'The parameter `messages.role` specified in the request are not valid: invalid value: `developer`, supported values are: `system`, `assistant`, `user`, and `tool`. Request id: 1',
    },
  }),
  developer('role-kimi', openai("role 'developer' is not a valid role")),
  developer(
    'role-enum',
    openai("Invalid enum value. Expected 'system' | 'user' | 'assistant' | 'tool', received 'developer'", {
      param: 'messages.0.role',
    }),
  ),
  developer('role-not-one-of', openai("message role is 'developer', not one of ['system', 'assistant', 'user']")),
  developer('role-zhipu', { error: { code: '1214', message: '角色信息不正确' } }),
  developer(
    'role-tag',
    {
      detail: [
        {
          type: 'union_tag_invalid',
          loc: ['body', 'messages', 0],
          msg: "Input tag 'developer' found using 'role' does not match any of the expected tags: 'assistant', 'system', 'tool', 'user'",
        },
      ],
    },
    undefined,
    422,
  ),
  developer('role-groq', openai("'messages.0' : discriminator property 'role' has invalid value")),
  developer(
    'role-o1-mini',
    openai("Unsupported value: 'messages[0].role' does not support 'developer' with this model."),
    ['user'],
    400,
    'o1-mini',
  ),

  // Parts of another format.
  row(
    'tag-image-url',
    'part-type',
    'anthropic',
    400,
    anthropic(
      "messages.0.content.1: Input tag 'image_url' found using 'type' does not match any of the expected tags: 'document', 'image', 'redacted_thinking', 'search_result', 'text', 'thinking', 'tool_result', 'tool_use'",
    ),
    foreignBlock({ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }),
    [{ 'part-types': { types: ['text', 'image'] } }, { 'max-images': 1 }],
    ['see this', 'seen', 'and?', png],
  ),
  row(
    'tag-input-text',
    'part-type',
    'anthropic',
    400,
    anthropic(
      "messages.0.content.1: Input tag 'input_text' found using 'type' does not match any of the expected tags: 'document', 'image', 'text', 'tool_result', 'tool_use'",
    ),
    foreignBlock({ type: 'input_text', text: 'more words' }),
    [{ 'part-types': { types: ['text'] } }],
    ['see this', 'more words', 'and?'],
  ),
  row(
    'tag-reasoning',
    'part-type',
    'anthropic',
    400,
    anthropic(
      "messages.0.content.1: Input tag 'codex_reasoning' found using 'type' does not match any of the expected tags: 'text', 'thinking', 'tool_use', 'tool_result'",
    ),
    foreignBlock({ type: 'codex_reasoning', data: 'x' }),
    [{ 'no-block': { type: 'codex_reasoning' } }],
    ['see this', 'seen', 'and?'],
  ),
  row(
    'tag-image-chat',
    'part-type',
    'openai-chat',
    422,
    {
      object: 'error',
      message: {
        detail: [
          {
            type: 'union_tag_invalid',
            loc: ['body', 'messages', 0, 'user', 'content', 'list[ContentChunk]', 1],
            msg: "Input tag 'image' found using 'type' does not match any of the expected tags: 'text', 'image_url', 'document_url'",
          },
        ],
      },
    },
    foreignBlock({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }, 'openai-chat'),
    [{ 'part-types': { types: ['text', 'image_url'] } }],
    ['see this', 'seen', 'and?', png],
  ),
  row(
    'serde-thinking-chat',
    'part-type',
    'openai-chat',
    400,
    openai(
      'Failed to deserialize the JSON body into the target type: messages[1].content[0]: unknown variant `thinking`, expected `text` at line 1 column 90',
    ),
    {
      model: 'deepseek-chat',
      messages: [
        { role: 'user', content: 'one' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 's' },
            { type: 'text', text: 'two' },
          ],
        },
        { role: 'user', content: 'three' },
      ],
    },
    [{ 'no-block': { type: 'thinking' } }],
    ['one', 'two', 'three'],
  ),

  // Marks and fields.
  row(
    'cache-points',
    'cache-control',
    'bedrock',
    400,
    bedrock(
      'The model returned the following errors: A maximum of 4 blocks with cache_control may be provided. Found 5.',
    ),
    {
      modelId: 'us.anthropic.claude-sonnet-5',
      messages: [
        { role: 'user', content: [{ text: 'a' }, { cachePoint: { type: 'default', ttl: '1' } }] },
        { role: 'assistant', content: [{ text: 'b' }] },
        { role: 'user', content: [{ text: 'c' }, { cachePoint: { type: 'default' } }] },
        { role: 'assistant', content: [{ text: 'd' }] },
        { role: 'user', content: [{ text: 'e' }, { cachePoint: { type: 'default' } }] },
      ],
      system: [{ text: 's' }, { cachePoint: { type: 'default' } }],
      toolConfig: {
        tools: [{ toolSpec: { name: 'x', inputSchema: { json: {} } } }, { cachePoint: { type: 'default' } }],
      },
    },
    [{ 'no-block': { type: 'default', ttl: '1' } }],
    ['a', 'b', 'c', 'd', 'e', 's'],
  ),
  row(
    'cache-marks-chat',
    'cache-control',
    'openai-chat',
    400,
    {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: '{"type":"error","error":{"type":"invalid_request_error","message":"A maximum of 4 blocks with cache_control may be provided. Found 5."}}',
        },
      },
    },
    {
      model: 'anthropic/claude-opus-4.8',
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'sys', cache_control: { type: 'ephemeral' } }] },
        ...['one', 'two', 'three', 'four'].map(text => ({
          role: 'user',
          content: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }],
        })),
      ],
    },
    [{ 'max-cache-control': 4 }],
    ['sys', 'one', 'two', 'three', 'four'],
  ),
  row(
    'extra-in-tool-result',
    'foreign-field',
    'anthropic',
    400,
    {
      error: {
        message:
          'litellm.BadRequestError: Vertex_aiException - {"type":"error","error":{"type":"invalid_request_error","message":"messages.2.content.0.tool_result.content.0.text.annotations: Extra inputs are not permitted"}}',
      },
    },
    {
      model: 'claude-opus-4-8',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'x', input: { annotations: 'mine' } }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'r', annotations: [] }] },
          ],
        },
      ],
      tools: [{ name: 'x', input_schema: { type: 'object' } }],
    },
    [{ 'no-block': { type: 'text', annotations: [] } }],
    ['go', 'mine', 'r'],
  ),
  row(
    'extra-in-call',
    'foreign-field',
    'anthropic',
    400,
    anthropic(
      'messages.1.content.0.tool_use.thought_signature: Extra inputs are not permitted\nmessages.1.content.1.tool_use.thought_signature: Extra inputs are not permitted',
    ),
    {
      model: 'claude-opus-4-8',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 't1', name: 'x', input: {}, thought_signature: 'q' },
            { type: 'tool_use', id: 't2', name: 'x', input: {}, thought_signature: 'q' },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content: 'r1' },
            { type: 'tool_result', tool_use_id: 't2', content: 'r2' },
          ],
        },
      ],
      tools: [{ name: 'x', input_schema: { type: 'object' } }],
    },
    [{ 'no-key': 'thought_signature' }],
    ['go', 'r1', 'r2'],
  ),
  row(
    'beta-value-tools',
    'tool-schema',
    'anthropic',
    400,
    anthropic(
      "tools.1: Input tag 'advisor_20260301' found using 'type' does not match any of the expected tags: 'bash_20250124', 'custom', 'text_editor_20250124'",
    ),
    {
      model: 'claude-opus-4-8',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'go' }],
      tools: [
        { name: 'x', input_schema: { type: 'object' } },
        { type: 'advisor_20260301', name: 'advisor' },
      ],
    },
    [{ 'no-block': { type: 'advisor_20260301' } }],
    ['go'],
  ),
  row(
    'effort-nearest-responses',
    'parameter',
    'openai-responses',
    400,
    openai(
      "Unsupported value: 'reasoning.effort' does not support 'minimal' with this model. Supported values are: 'low', 'medium', and 'high'.",
      { param: 'reasoning.effort', code: 'unsupported_value' },
    ),
    { model: 'x', reasoning: { effort: 'minimal', summary: 'auto' }, input: [{ role: 'user', content: 'hi' }] },
    [
      { 'one-of': { path: 'reasoning.effort', values: ['low'] } },
      { 'one-of': { path: 'reasoning.summary', values: ['auto'] } },
    ],
    ['hi'],
  ),
  row(
    'effort-of-a-gateway',
    'parameter',
    'openai-responses',
    400,
    openai("Invalid value: 'xhigh'. Supported values are: low, medium, high"),
    { model: 'x', reasoning: { effort: 'xhigh' }, input: [{ role: 'user', content: 'hi' }] },
    [{ 'one-of': { path: 'reasoning.effort', values: ['high'] } }],
    ['hi'],
  ),
  row(
    'effort-invalid-value',
    'parameter',
    'openai-chat',
    400,
    openai("Invalid value: 'xhigh'. Supported values are: 'minimal', 'low', 'medium', and 'high'.", {
      param: 'reasoning_effort',
      code: 'invalid_value',
    }),
    { model: 'x', reasoning_effort: 'xhigh', messages: [{ role: 'user', content: 'hi' }] },
    [{ 'one-of': { path: 'reasoning_effort', values: ['high'] } }],
    ['hi'],
  ),
  row(
    'parameter-argument',
    'parameter',
    'openai-chat',
    400,
    openai('Unrecognized request argument supplied: reasoning_effort'),
    { model: 'x', reasoning_effort: 'high', temperature: 1, messages: [{ role: 'user', content: 'hi' }] },
    [{ absent: 'reasoning_effort' }, { 'one-of': { path: 'temperature', values: [1] } }],
    ['hi'],
  ),
  row(
    'parameter-litellm',
    'parameter',
    'openai-chat',
    400,
    openai(
      "litellm.UnsupportedParamsError: azure does not support parameters: ['parallel_tool_calls'], for model=o3-mini. To drop these, set `litellm.drop_params=True`",
    ),
    { model: 'o3-mini', parallel_tool_calls: true, messages: [{ role: 'user', content: 'hi' }] },
    [{ absent: 'parallel_tool_calls' }],
    ['hi'],
  ),
  row(
    'parameter-litellm-values',
    'parameter',
    'openai-chat',
    400,
    openai(
      "litellm.UnsupportedParamsError: anthropic does not support parameters: {'parallel_tool_calls': False, 'seed': 1}, for model=claude-3-5-sonnet. To drop these, set `litellm.drop_params=True`",
    ),
    { model: 'x', parallel_tool_calls: false, seed: 1, messages: [{ role: 'user', content: 'hi' }] },
    [{ absent: 'parallel_tool_calls' }, { absent: 'seed' }],
    ['hi'],
  ),
  row(
    'max-tokens-rename-azure',
    'parameter',
    'openai-chat',
    400,
    openai(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    ),
    {
      model: 'o3',
      max_tokens: 77,
      stream: true,
      stream_options: { include_usage: true },
      messages: [{ role: 'user', content: 'hi' }],
    },
    [
      { absent: 'max_tokens' },
      { 'one-of': { path: 'max_completion_tokens', values: [77] } },
      { 'one-of': { path: 'stream', values: [true] } },
    ],
    ['hi'],
  ),
  row(
    'stop-unsupported',
    'parameter',
    'openai-chat',
    400,
    openai("Unsupported parameter: 'stop' is not supported with this model."),
    { model: 'o3', stop: ['x'], messages: [{ role: 'user', content: 'hi' }] },
    [{ absent: 'stop' }],
    ['hi'],
  ),
  row(
    'xai-argument',
    'parameter',
    'openai-chat',
    400,
    { code: 'Client specified an invalid argument', error: 'Argument not supported on this model: presencePenalty' },
    { model: 'grok-4', presence_penalty: 0.2, messages: [{ role: 'user', content: 'hi' }] },
    [{ absent: 'presence_penalty' }],
    ['hi'],
  ),
  row(
    'xai-parameter',
    'parameter',
    'openai-chat',
    400,
    { code: 'Client specified an invalid argument', error: 'Model grok-4 does not support parameter reasoningEffort.' },
    { model: 'grok-4', reasoning_effort: 'low', messages: [{ role: 'user', content: 'hi' }] },
    [{ absent: 'reasoning_effort' }],
    ['hi'],
  ),
]
