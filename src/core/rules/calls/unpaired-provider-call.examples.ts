import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a search and what it found',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Weather in Lisbon?' },
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'weather in Lisbon' } },
            {
              type: 'web_search_tool_result',
              tool_use_id: 'srvtoolu_1',
              content: [
                {
                  type: 'web_search_result',
                  url: 'https://example.com/lisbon',
                  title: 'Lisbon',
                  encrypted_content: 'EqgfCioIARgB',
                },
              ],
            },
            { type: 'text', text: 'Sunny.' },
          ],
        },
        { role: 'user', content: 'Thanks.' },
      ],
    },
    {
      name: 'a turn that is paused',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Weather in Lisbon?' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look it up.' },
            { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'weather in Lisbon' } },
          ],
        },
      ],
    },
  ],
  invalid: [
    {
      name: 'a search that was stopped',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Weather in Lisbon?' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look it up.' },
            { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'weather in Lisbon' } },
          ],
        },
        { role: 'user', content: 'Never mind.' },
      ],
      finds: ['messages[1].content[1]'],
      after: [
        { role: 'user', content: 'Weather in Lisbon?' },
        { role: 'assistant', content: [{ type: 'text', text: 'I look it up.' }] },
        { role: 'user', content: 'Never mind.' },
      ],
    },
    {
      name: 'what was found, without the search',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Weather in Lisbon?' },
        {
          role: 'assistant',
          content: [
            {
              type: 'web_search_tool_result',
              tool_use_id: 'srvtoolu_1',
              content: [
                {
                  type: 'web_search_result',
                  url: 'https://example.com/lisbon',
                  title: 'Lisbon',
                  encrypted_content: 'EqgfCioIARgB',
                },
              ],
            },
            { type: 'text', text: 'Sunny.' },
          ],
        },
        { role: 'user', content: 'Thanks.' },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        { role: 'user', content: 'Weather in Lisbon?' },
        { role: 'assistant', content: [{ type: 'text', text: 'Sunny.' }] },
        { role: 'user', content: 'Thanks.' },
      ],
    },
    {
      name: 'a search that travelled as a call of the client',
      format: 'openai-chat',
      dialect: 'openai',
      messages: [
        { role: 'user', content: 'Weather in Lisbon?' },
        {
          role: 'assistant',
          content: 'I look it up.',
          tool_calls: [
            {
              id: 'srvtoolu_1',
              type: 'function',
              function: { name: 'web_search', arguments: '{"query":"weather in Lisbon"}' },
            },
          ],
        },
        { role: 'user', content: 'Never mind.' },
      ],
      finds: ['messages[1].tool_calls[0]'],
      after: [
        { role: 'user', content: 'Weather in Lisbon?' },
        { role: 'assistant', content: 'I look it up.' },
        { role: 'user', content: 'Never mind.' },
      ],
    },
    {
      name: 'what a connector gave back in place of what was found',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Weather in Lisbon?' },
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'weather in Lisbon' } },
            { type: 'mcp_tool_result', tool_use_id: 'srvtoolu_1', is_error: false, content: [] },
            { type: 'text', text: 'Sunny.' },
          ],
        },
        { role: 'user', content: 'Thanks.' },
      ],
      finds: ['messages[1].content[1]'],
      after: [
        { role: 'user', content: 'Weather in Lisbon?' },
        { role: 'assistant', content: [{ type: 'text', text: 'Sunny.' }] },
        { role: 'user', content: 'Thanks.' },
      ],
    },
  ],
}
