import type { Examples } from '../example.ts'

export const examples: Examples = {
  valid: [
    {
      name: 'a search that the provider itself ran',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Weather in Lisbon?' },
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'weather in Lisbon' } },
            { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
            { type: 'text', text: 'I found nothing.' },
          ],
        },
        { role: 'user', content: 'Look again.' },
      ],
    },
    {
      name: 'a call of a connector, whose ids have a form of their own',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Weather in Lisbon?' },
        {
          role: 'assistant',
          content: [
            { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'weather', server_name: 'sky', input: { city: 'Lisbon' } },
            { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1', is_error: false, content: [] },
            { type: 'text', text: 'I found nothing.' },
          ],
        },
        { role: 'user', content: 'Look again.' },
      ],
    },
    {
      name: 'for a provider that is not known to reject it',
      format: 'anthropic',
      dialect: 'minimax',
      messages: [
        { role: 'user', content: 'What is on this picture?' },
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 'call_5f46', name: 'analyze_image', input: { image: 1 } },
            { type: 'analyze_image_tool_result', tool_use_id: 'call_5f46', content: 'a cat' },
            { type: 'text', text: 'A cat.' },
          ],
        },
        { role: 'user', content: 'Which breed?' },
      ],
    },
  ],
  invalid: [
    {
      name: 'the model was switched in mid-conversation',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'What is on this picture?' },
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 'call_5f46', name: 'analyze_image', input: { image: 1 } },
            { type: 'analyze_image_tool_result', tool_use_id: 'call_5f46', content: 'a cat' },
            { type: 'text', text: 'A cat.' },
          ],
        },
        { role: 'user', content: 'Which breed?' },
      ],
      finds: ['messages[1].content[0]'],
      after: [
        { role: 'user', content: 'What is on this picture?' },
        { role: 'assistant', content: [{ type: 'text', text: 'A cat.' }] },
        { role: 'user', content: 'Which breed?' },
      ],
    },
    {
      name: 'the call and its result in two messages',
      format: 'anthropic',
      dialect: 'anthropic',
      messages: [
        { role: 'user', content: 'Weather in Lisbon?' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'I look it up.' },
            { type: 'server_tool_use', id: 'call_5f46', name: 'web_search', input: { query: 'weather in Lisbon' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'web_search_tool_result', tool_use_id: 'call_5f46', content: [] },
            { type: 'text', text: 'I found nothing.' },
          ],
        },
        { role: 'user', content: 'Look again.' },
      ],
      finds: ['messages[1].content[1]', 'messages[2].content[0]'],
      after: [
        { role: 'user', content: 'Weather in Lisbon?' },
        { role: 'assistant', content: [{ type: 'text', text: 'I look it up.' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'I found nothing.' }] },
        { role: 'user', content: 'Look again.' },
      ],
    },
  ],
}
