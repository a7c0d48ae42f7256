import { describe, expect } from 'vitest'
import { limitFacts as anthropicFacts } from '../../../src/strict/providers/anthropic/facts-limits.ts'
import { limitFacts as bedrockFacts } from '../../../src/strict/providers/bedrock/facts-limits.ts'
import { limitFacts as geminiFacts } from '../../../src/strict/providers/gemini/facts-limits.ts'
import { limitFacts as openaiFacts } from '../../../src/strict/providers/openai/facts-limits.ts'
import { limitFacts as responsesFacts } from '../../../src/strict/providers/openai-responses/facts-limits.ts'
import { assistant, result, text, thinking, use, user } from '../../oracle/cases/blocks.ts'
import { bmp, gif, jpeg, png } from '../images.ts'
import { type Case, type Door, testAccepted, testCases, testComplete } from './over-http.ts'

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const mark = { cache_control: { type: 'ephemeral' } }

describe('anthropic', () => {
  const weather = { name: 'weather', input_schema: { type: 'object' } }
  const door: Door = {
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    request: (messages, fields, model) => ({
      ...{ path: '/v1/messages', stream: '/v1/messages' },
      body: { model, max_tokens: 100, messages, tools: [weather], ...fields },
    }),
    refusal: message => ({
      type: 'error',
      error: { type: expect.stringMatching(/^(invalid_request_error|request_too_large)$/), message },
      request_id: expect.any(String),
    }),
  }
  const image = (data: string, media_type = 'image/png') => ({
    type: 'image',
    source: { type: 'base64', media_type, data },
  })
  const shown = (...data: string[]) => [user(...data.map(one => image(one)))]
  const side = (limit: string) =>
    `messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size${limit} pixels`
  const references = (name: string) => [
    user(text()),
    assistant(use('A')),
    user({ ...result('A'), content: [{ type: 'tool_reference', tool_name: name }] }),
  ]
  const cases: Case[] = [
    {
      fact: 'an-extra',
      name: 'a mark on thinking',
      refused: [user(text()), assistant({ ...thinking('c2ln'), ...mark }, text()), user(text())],
      text: 'messages.1.content.0.thinking.cache_control: Extra inputs are not permitted',
      accepted: [user(text()), assistant(thinking('c2ln'), { ...text(), ...mark }), user(text())],
    },
    {
      fact: 'an-extra',
      name: 'a field of another client',
      refused: [user(text()), assistant({ ...use('A'), index: 0 }), user(result('A'))],
      text: 'messages.1.content.0.tool_use.index: Extra inputs are not permitted',
      accepted: [user(text()), assistant(use('A')), user(result('A'))],
    },
    {
      fact: 'an-tool-name',
      fields: { tools: [weather, { ...weather, name: 'a.b' }] },
      refused: [user(text())],
      text: "tools.1.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
      accepted: [user(text())],
      acceptedFields: { tools: [weather, { ...weather, name: 'a_b' }] },
    },
    {
      fact: 'an-tool-unique',
      fields: { tools: [weather, weather] },
      refused: [user(text())],
      text: 'tools: Tool names must be unique.',
      accepted: [user(text())],
      acceptedFields: {},
    },
    {
      fact: 'an-tool-reference',
      refused: references('tides'),
      text: "Tool reference 'tides' not found in available tools",
      accepted: references('weather'),
    },
    {
      fact: 'an-cache-count',
      fields: { system: [{ ...text(), ...mark }], tools: [{ ...weather, ...mark }] },
      refused: times(3, () => user({ ...text(), ...mark })),
      text: 'A maximum of 4 blocks with cache_control may be provided. Found 5.',
      accepted: times(2, () => user({ ...text(), ...mark })),
    },
    {
      fact: 'an-cache-empty',
      refused: [user(text(), { ...text(''), ...mark })],
      text: 'messages.0.content.1.text: cache_control cannot be set for empty text blocks',
      accepted: [user(text(), text(''))],
    },
    {
      fact: 'an-image-media-type',
      refused: [user(image(bmp(9, 9), 'image/bmp'))],
      text: "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
      accepted: shown(png(9, 9)),
    },
    {
      fact: 'an-image-true-type',
      refused: [user(image(jpeg(9, 9)))],
      text: 'messages.0.content.0.image.source.base64: The image was specified using the image/png media type, but the image appears to be a image/jpeg image',
      accepted: [user(image(jpeg(9, 9), 'image/jpeg'))],
    },
    {
      fact: 'an-image-bytes',
      name: 'in a result',
      refused: [
        user(text()),
        assistant(use('A')),
        user({ ...result('A'), content: [text(), image('A'.repeat(10_485_764))] }),
      ],
      text: 'messages.2.content.0.tool_result.content.1.image.source.base64: image exceeds 10 MB maximum: 10485764 bytes > 10485760 bytes',
      accepted: shown('A'.repeat(10_485_760)),
    },
    { fact: 'an-image-side', refused: shown(png(1, 8001)), text: side(': 8000'), accepted: shown(png(1, 8000)) },
    {
      fact: 'an-image-side-many',
      refused: shown(...times(21, () => png(2001, 1))),
      text: side(' for many-image requests: 2000'),
      accepted: shown(...times(20, () => png(2001, 1))),
    },
    {
      fact: 'an-media-count',
      refused: shown(...times(101, () => png(9, 9))),
      text: 'too many images and documents: 101 + 0 > 100',
      accepted: shown(...times(100, () => png(9, 9))),
    },
    {
      fact: 'an-context',
      refused: [user(text('word '.repeat(160_001)))],
      text: 'prompt is too long: 200007 tokens > 200000 maximum',
      accepted: [user(text('word '.repeat(159_900)))],
    },
    {
      fact: 'an-output',
      fields: { max_tokens: 64_000 },
      refused: [user(text('word '.repeat(120_000)))],
      text: 'input length and `max_tokens` exceed context limit: 150006 + 64000 > 200000, decrease input length or `max_tokens` and try again',
      accepted: [user(text('word '.repeat(100_000)))],
    },
  ]
  testCases(door, cases)
  const large: Case = {
    fact: 'an-request-bytes',
    refused: shown(...times(9, () => 'A'.repeat(4_000_000))),
    text: 'Request exceeds the maximum size',
    accepted: shown(...times(8, () => 'A'.repeat(4_000_000))),
    status: 413,
  }
  testCases(door, [large])
  testAccepted(door, {
    'more images than an older model takes': {
      model: 'claude-opus-4-6',
      history: shown(...times(101, () => png(9, 9))),
    },
    'a prompt for the larger window': { model: 'claude-opus-4-6', history: [user(text('word '.repeat(200_000)))] },
  })
  testComplete(
    anthropicFacts,
    [...cases, large].map(({ fact }) => fact),
  )
})

describe('bedrock', () => {
  const door: Door = {
    provider: 'bedrock',
    model: 'anthropic.claude-sonnet-4-5-v1:0',
    request: (messages, fields, model) => ({
      ...{ path: `/model/${model}/converse`, stream: `/model/${model}/converse-stream` },
      body: { messages, ...fields },
    }),
    refusal: message => ({ message }),
  }
  const tools = (name: string) => ({
    toolConfig: { tools: [{ toolSpec: { name, inputSchema: { json: { type: 'object' } } } }] },
  })
  const says = (...blocks: object[]) => [{ role: 'user', content: [{ text: 'See.' }, ...blocks] }]
  const image = (bytes: string) => ({ image: { format: 'png', source: { bytes } } })
  const document = (name: string) => ({ document: { name, format: 'pdf', source: { bytes: 'AAAA' } } })
  const cases: Case[] = [
    {
      fact: 'br-tool-name',
      fields: tools('a.b'),
      refused: says(),
      text: "1 validation error detected: Value 'a.b' at 'toolConfig.tools.1.member.toolSpec.name' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_-]+",
      accepted: says(),
      acceptedFields: tools('a_b'),
    },
    {
      fact: 'br-document-count',
      refused: says(...times(6, at => document(`doc ${at}`))),
      text: "You can't include more than 5 documents in a request.",
      accepted: says(...times(5, at => document(`doc ${at}`))),
    },
    {
      fact: 'br-document-names',
      refused: says(document('one'), document('one')),
      text: "Messages can't contain duplicate document names.",
      accepted: says(document('one'), document('two')),
    },
    {
      fact: 'br-document-text',
      refused: [{ role: 'user', content: [document('one')] }],
      text: 'A text block must be included when using documents.',
      accepted: says(document('one')),
    },
    {
      fact: 'br-media-count',
      refused: says(...times(21, () => image(png(9, 9)))),
      text: 'The model returned the following errors: too many images and documents: 21 + 0 > 20',
      accepted: says(...times(20, () => image(png(9, 9)))),
    },
    {
      fact: 'br-image',
      refused: says(image(png(12_000, 9))),
      text: 'The model returned the following errors: messages.0.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
      accepted: says(image(png(8000, 9))),
    },
    {
      fact: 'br-image',
      name: 'bytes',
      refused: says(image('A'.repeat(5_242_884))),
      text: 'The model returned the following errors: messages.0.content.1.image.source.bytes: image exceeds 5 MB maximum: 5242884 bytes > 5242880 bytes',
      accepted: says(image('A'.repeat(5_242_880))),
    },
    {
      fact: 'br-context',
      refused: says({ text: 'word '.repeat(160_001) }),
      text: 'Input is too long for requested model.',
      accepted: says({ text: 'word '.repeat(159_900) }),
    },
  ]
  testCases(door, cases)
  testComplete(
    bedrockFacts,
    cases.map(({ fact }) => fact),
  )
})

describe('openai', () => {
  const refusal = (message: string) => ({
    error: {
      message,
      type: 'invalid_request_error',
      param: expect.toBeOneOf([null, expect.any(String)]),
      code: expect.any(String),
    },
  })
  const tools = (count: number, name = 'tool') => ({
    tools: times(count, at => ({ type: 'function', function: { name: `${name}_${at}`, parameters: {} } })),
  })
  const says = (content: unknown) => [{ role: 'user', content }]
  const shows = (data: string, type = 'image/png') =>
    says([{ type: 'image_url', image_url: { url: `data:${type};base64,${data}` } }])
  const call = (id: number, name = 'weather') => ({
    id: `c${id}`,
    type: 'function',
    function: { name, arguments: '{}' },
  })
  const step = (count: number, name?: string) => [
    { role: 'assistant', content: null, tool_calls: times(count, at => call(at, name)) },
    ...times(count, at => ({ role: 'tool', tool_call_id: `c${at}`, content: 'sunny' })),
  ]
  const tooMany = (path: string, count: number) =>
    `Invalid '${path}': array too long. Expected an array with maximum length 128, but got an array with length ${count} instead.`
  const mismatch = (path: string) =>
    `Invalid '${path}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`
  const long = (path: string) =>
    `Invalid '${path}': string too long. Expected a string with maximum length 10485760, but got a string with length 10485761 instead.`
  const unsupported =
    "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp']."

  describe('chat', () => {
    const door: Door = {
      provider: 'openai',
      model: 'gpt-4.1',
      request: (messages, fields, model) => ({
        ...{ path: '/v1/chat/completions', stream: '/v1/chat/completions' },
        body: { model, messages, ...fields },
      }),
      refusal,
    }
    const cases: Case[] = [
      {
        fact: 'oc-tools-count',
        fields: tools(129),
        refused: says('Hi'),
        text: tooMany('tools', 129),
        accepted: says('Hi'),
        acceptedFields: tools(128),
      },
      { fact: 'oc-calls-count', refused: step(129), text: tooMany('messages[0].tool_calls', 129), accepted: step(128) },
      {
        fact: 'oc-tool-name',
        fields: tools(1, 'a.b'),
        refused: says('Hi'),
        text: mismatch('tools[0].function.name'),
        accepted: says('Hi'),
        acceptedFields: tools(1),
      },
      {
        fact: 'oc-tool-name',
        name: 'of a call',
        refused: step(1, 'a b'),
        text: mismatch('messages[0].tool_calls[0].function.name'),
        accepted: step(1),
      },
      {
        fact: 'oc-string',
        refused: says('x'.repeat(10_485_761)),
        text: long('messages[0].content'),
        accepted: says('x'.repeat(10_485_760)),
      },
      {
        fact: 'oc-part-type',
        pedantic: true,
        refused: [...says('Hi'), { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.' }] }],
        text: "Invalid value: 'thinking'. Supported values are: 'text', 'image_url', 'input_audio', 'refusal', 'audio', and 'file'.",
        accepted: says([{ type: 'text', text: 'Hi' }]),
      },
      { fact: 'oc-image-format', refused: shows(bmp(9, 9)), text: unsupported, accepted: shows(gif(9, 9)) },
      {
        fact: 'oc-image-format',
        name: 'declared',
        refused: shows('AAAA', 'image/tiff'),
        text: unsupported,
        accepted: shows('AAAA'),
      },
      {
        fact: 'oc-context',
        model: 'gpt-4o',
        refused: says('word '.repeat(102_401)),
        text: "This model's maximum context length is 128000 tokens. However, your messages resulted in 128003 tokens. Please reduce the length of the messages.",
        accepted: says('word '.repeat(102_300)),
      },
      {
        fact: 'oc-context-limit',
        model: 'gpt-5',
        refused: says('word '.repeat(220_000)),
        text: 'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 275001 tokens. Please reduce the length of the messages.',
        accepted: says('word '.repeat(200_000)),
      },
    ]
    testCases(door, cases)
    testComplete(
      openaiFacts,
      cases.map(({ fact }) => fact),
    )
  })

  describe('responses', () => {
    const door: Door = {
      provider: 'openai',
      model: 'gpt-5',
      request: (input, fields, model) => ({
        ...{ path: '/v1/responses', stream: '/v1/responses' },
        body: { model, input, ...fields },
      }),
      refusal,
    }
    const named = (name: string) => ({ tools: [{ type: 'function', name, parameters: {} }] })
    const shown = (data: string) => says([{ type: 'input_image', image_url: `data:image/png;base64,${data}` }])
    const said = (type: string) => [
      ...says('Hi'),
      { role: 'assistant', content: [{ type, text: 'Hello.' }] },
      ...says('So?'),
    ]
    const cases: Case[] = [
      {
        fact: 'or-tools-count',
        fields: { tools: times(129, at => ({ type: 'function', name: `t${at}`, parameters: {} })) },
        refused: says('Hi'),
        text: tooMany('tools', 129),
        accepted: says('Hi'),
        acceptedFields: {},
      },
      {
        fact: 'or-tool-name',
        fields: named('a.b'),
        refused: says('Hi'),
        text: mismatch('tools[0].name'),
        accepted: says('Hi'),
        acceptedFields: named('a_b'),
      },
      {
        fact: 'or-string',
        refused: says('x'.repeat(10_485_761)),
        text: long('input[0].content'),
        accepted: says('x'.repeat(1_000_000)),
      },
      {
        fact: 'or-part-type',
        refused: said('input_text'),
        text: "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
        accepted: said('output_text'),
      },
      { fact: 'or-image-format', refused: shown(bmp(9, 9)), text: unsupported, accepted: shown(png(9, 9)) },
      {
        fact: 'or-context',
        refused: says('word '.repeat(220_000)),
        text: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
        accepted: says('word '.repeat(200_000)),
      },
    ]
    testCases(door, cases)
    testComplete(
      responsesFacts,
      cases.map(({ fact }) => fact),
    )
  })
})

describe('gemini', () => {
  const door: Door = {
    provider: 'gemini',
    model: 'gemini-2.5-pro',
    request: (contents, fields, model) => ({
      path: `/v1beta/models/${model}:generateContent`,
      stream: `/v1beta/models/${model}:streamGenerateContent?alt=sse`,
      body: { contents, ...fields },
    }),
    refusal: message => ({ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }),
  }
  const says = (part: object) => [{ role: 'user', parts: [part] }]
  const tools = (...names: string[]) => ({ tools: [{ functionDeclarations: names.map(name => ({ name })) }] })
  const line = (k: number) =>
    `* GenerateContentRequest.tools[0].function_declarations[${k}].name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.) or dashes (-), with a maximum length of 64.\n`
  const inline = (data: string) => says({ inlineData: { mimeType: 'image/png', data } })
  const cases: Case[] = [
    {
      fact: 'ge-tool-name',
      fields: tools('ok', '1st', 'a b'),
      refused: says({ text: 'Hi' }),
      text: line(1) + line(2),
      accepted: says({ text: 'Hi' }),
      acceptedFields: tools('ok', 'a.b'),
    },
    {
      fact: 'ge-base64',
      refused: inline(`data:image/png;base64,${png(9, 9)}`),
      text: `Invalid value at 'contents[0].parts[0].inline_data.data' (TYPE_BYTES), Base64 decoding failed for "data:image/png;base64,${png(9, 9)}"`,
      accepted: inline(png(9, 9)),
    },
    {
      fact: 'ge-context',
      refused: says({ text: 'word '.repeat(840_000) }),
      text: 'The input token count (1050001) exceeds the maximum number of tokens allowed (1048576).',
      accepted: says({ text: 'word '.repeat(800_000) }),
    },
  ]
  testCases(door, cases)
  testComplete(
    geminiFacts,
    cases.map(({ fact }) => fact),
  )
})
