type Fields = Record<string, unknown>

/** A request with something of everything that a repair after a rejection looks for, many times over, in each format of requests. */
export const richRequests: Readonly<Record<string, (length: number, isPacked: boolean) => Fields>> = {
  anthropic: (length, isPacked) => ({
    model: 'claude-sonnet-4',
    max_tokens: 4000,
    thinking: { type: 'enabled', budget_tokens: 2000 },
    system: each(length, at => ({ type: 'text', text: at % 2 ? '' : `rule ${at}`, cache_control: mark })),
    tools: each(length, at => ({ name: toolName(at), description: 'any', input_schema: schema })),
    messages: turns(length, isPacked, 'content', at => [
      [
        { type: 'text', text: `ask ${at}`, cache_control: mark, extra: at },
        { type: 'text', text: '' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
        { type: 'image', source: { type: 'url', url: `https://some.where/${at}.png` } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
      ],
      [
        { type: 'thinking', thinking: `thought ${at}`, signature: `sealed ${at}` },
        { type: 'text', text: `said ${at}` },
        { type: 'server_tool_use', id: `srvtoolu_${at}`, name: 'web_search', input: { query: 'x' } },
        { type: 'web_search_tool_result', tool_use_id: `srvtoolu_${at}`, content: [{ encrypted_content: 'sealed' }] },
        { type: 'tool_use', id: `call_${at}${'x'.repeat(60)}`, name: toolName(at), input: { at } },
      ],
      [
        {
          type: 'tool_result',
          tool_use_id: `call_${at}${'x'.repeat(60)}`,
          content: [
            { type: 'text', text: `found ${at}, at length: ${'y'.repeat(300)}` },
            { type: 'tool_reference', tool_name: toolName(at) },
          ],
        },
      ],
    ]),
  }),
  'openai-chat': (length, isPacked) => ({
    model: 'gpt-5',
    max_completion_tokens: 4000,
    tools: each(length, at => ({ type: 'function', function: { name: toolName(at), parameters: schema } })),
    messages: each(isPacked ? 1 : length, at => {
      const many = (make: (at: number) => unknown[]): unknown[] => (isPacked ? each(length, make).flat() : make(at))
      return [
        { role: at % 2 ? 'system' : 'developer', content: `rule ${at}`, name: 'someone' },
        {
          role: 'user',
          content: many(at => [
            { type: 'text', text: `ask ${at}` },
            { type: 'text', text: ' ' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
            { type: 'file', file: { file_id: `file-${at}` } },
            { type: 'image', source: { type: 'url', url: `https://some.where/${at}.png` } },
          ]),
        },
        {
          role: 'assistant',
          reasoning_details: [{ type: 'reasoning.encrypted', data: `sealed ${at}` }],
          content: many(at => [
            { type: 'thinking', thinking: `thought ${at}` },
            { type: 'tool_use', id: `used_${at}`, name: toolName(at), input: {} },
            { type: 'text', text: `said ${at}` },
          ]),
          tool_calls: many(at => [
            { id: `call_${at}${'x'.repeat(60)}`, type: 'function', function: { name: toolName(at), arguments: '{}' } },
          ]),
        },
        ...many(at => [
          {
            role: 'tool',
            tool_call_id: `call_${at}${'x'.repeat(60)}`,
            content: [
              { type: 'text', text: `found ${at}, at length: ${'y'.repeat(300)}` },
              { type: 'image_url', image_url: { url: `https://some.where/${at}.png` } },
            ],
          },
        ]),
      ]
    }).flat(),
  }),
  'openai-responses': length => ({
    model: 'gpt-5',
    max_output_tokens: 4000,
    tools: each(length, at => ({ type: 'function', name: toolName(at), parameters: schema })),
    input: each(length, at => [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: `ask ${at}` },
          { type: 'text', text: '' },
          { type: 'input_image', image_url: `data:image/png;base64,${png}` },
          { type: 'input_file', file_id: `file-${at}` },
        ],
      },
      { type: 'reasoning', id: `rs_${at}`, summary: [], encrypted_content: `sealed ${at}` },
      { type: 'item_reference', id: `msg_${at}` },
      { type: 'function_call', id: `fc_${at}`, call_id: `call_${at}`, name: toolName(at), arguments: '{}' },
      { type: 'function_call_output', call_id: `call_${at}`, output: `found ${at}: ${'y'.repeat(300)}` },
      { type: 'message', role: 'assistant', id: `msg_${at}`, content: [{ type: 'output_text', text: `said ${at}` }] },
    ]).flat(),
  }),
  gemini: (length, isPacked) => ({
    model: 'gemini-3-pro',
    tools: [{ functionDeclarations: each(length, at => ({ name: toolName(at), parameters: schema })) }],
    contents: turns(length, isPacked, 'parts', at => [
      [
        { text: `ask ${at}`, extra: at },
        { inlineData: { mimeType: 'image/gif', data: png } },
        { fileData: { mimeType: 'application/pdf', fileUri: `https://some.where/files/${at}` } },
      ],
      [
        { text: `thought ${at}`, thought: true },
        { functionCall: { name: toolName(at), args: { at } }, thoughtSignature: `sealed ${at}` },
      ],
      [{ functionResponse: { name: toolName(at), response: { output: `found ${at}: ${'y'.repeat(300)}` } } }],
    ]),
  }),
  bedrock: (length, isPacked) => ({
    modelId: 'anthropic.claude-sonnet-4',
    inferenceConfig: { maxTokens: 4000 },
    system: each(length, at => (at % 2 ? { cachePoint: { type: 'default' } } : { text: `rule ${at}` })),
    toolConfig: {
      tools: each(length, at => ({ toolSpec: { name: toolName(at), inputSchema: { json: schema } } })),
    },
    messages: turns(length, isPacked, 'content', at => [
      [
        { text: `ask ${at}` },
        { text: '' },
        { image: { format: 'png', source: { bytes: png } } },
        { document: { format: 'pdf', name: 'paper', source: { bytes: 'JVBERi0=' } } },
        { cachePoint: { type: 'default' } },
      ],
      [
        { reasoningContent: { reasoningText: { text: `thought ${at}`, signature: `sealed ${at}` } } },
        { toolUse: { toolUseId: `call_${at}`, name: toolName(at), input: {} } },
      ],
      [{ toolResult: { toolUseId: `call_${at}`, content: [{ text: `found ${at}: ${'y'.repeat(300)}` }] } }],
    ]),
  }),
}

const each = <T>(length: number, make: (at: number) => T): T[] => Array.from({ length }, (_, at) => make(at))

/** Of a user, an assistant and the results: many turns, or one turn of many parts. */
function turns(length: number, isPacked: boolean, key: string, make: (at: number) => unknown[][]): Fields[] {
  const roles = key === 'parts' ? ['user', 'model', 'user'] : ['user', 'assistant', 'user']
  if (!isPacked)
    return each(length, make).flatMap(lists => lists.map((parts, at) => ({ role: roles[at], [key]: parts })))
  const all = each(length, make)
  return roles.map((role, at) => ({ role, [key]: all.flatMap(lists => lists[at]) }))
}

/** Some declared twice, some with letters that providers do not take. */
const toolName = (at: number): string => (at % 3 === 0 ? `look/up ${at >> 1}!` : `look_${at >> 1}`)

const mark = { type: 'ephemeral' }

const schema = {
  type: 'object',
  properties: { one: { $ref: '#/$defs/thing' }, other: { type: ['string', 'null'] } },
  $defs: { thing: { type: 'object', properties: { again: { $ref: '#/$defs/thing' } } } },
}

const png = 'iVBORw0KGgoAAAANSUhEUgAABQAAAAMgCAIAAADz+lisAAAADElEQVR4nGNgoAwAAABAAAG3NHzvAAAAAElFTkSuQmCC'
