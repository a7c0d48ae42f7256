import type { Examples } from '../example.ts'

const reference = (name: string): object => ({ type: 'tool_reference', tool_name: name })
const request = (...content: object[]): object => ({
  model: 'claude-opus-4-8',
  max_tokens: 1024,
  tools: [
    { name: 'search', input_schema: { type: 'object' } },
    { name: 'read', input_schema: { type: 'object' }, defer_loading: true },
  ],
  messages: [
    { role: 'user', content: 'Find a tool.' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'search', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content }] },
  ],
})

export const examples: Examples = {
  valid: [
    {
      name: 'a tool that is declared',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(reference('read')),
    },
    {
      name: 'a tool of a server that the provider itself calls',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: {
        ...request(reference('draw')),
        mcp_servers: [{ type: 'url', url: 'https://example.com', name: 'art' }],
      },
    },
  ],
  invalid: [
    {
      name: 'a tool of a server that is gone',
      format: 'anthropic',
      dialect: 'anthropic',
      request: true,
      messages: request(reference('read'), reference('draw')),
      finds: ['messages[2].content[0].content[1]'],
      after: request(reference('read'), { type: 'text', text: '[tool found: draw]' }),
    },
  ],
}
